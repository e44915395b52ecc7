import assert from 'node:assert/strict'
import { expect, test } from 'vitest'
import { aWallet, pay, readRecord } from '../paths/x402/payments.ts'
import { anActiveMandate, bodyOf, DAY_MS } from '../support/builders.ts'
import { waitUntil } from '../support/wait-until.ts'
import { configOf, furnish } from '../support/x402/shop.ts'
import type { Flow } from './stage.ts'

/** A payment in tokens, signed and seen on the chain. */
export const x402OnChainFlow: Flow = (stage) => {
  async function openShop(funds?: bigint) {
    const { app, bench } = stage()
    assert(bench)
    const acme = await app.organization()
    await acme.patch('/organization', { x402Fetch: true })
    return { ...bench, app, ...(await furnish(acme, bench, funds === undefined ? {} : { funds })) }
  }

  test('what is signed is paid by the seller and settled', async () => {
    const shop = await openShop()
    const url = `${shop.vendor.url}/data`
    const answer = await shop.pay(await shop.meet(url), 'purchase-1')
    expect((await shop.pay(await shop.meet(url), 'purchase-1')).body.payment).toEqual(
      answer.body.payment,
    )
    expect((await shop.redeem(url, answer)).status).toBe(200)
    await shop.becomes(answer.body.transactionId, 'settled')
    expect(await shop.budget()).toEqual({ spent: 0.01, held: 0, left: 0.99 })
    expect(bodyOf(await shop.acme.get('/wallets')).data).toHaveLength(1)
    const path = configOf(shop, {}).paths?.find(({ name }) => name === 'x402')
    expect(await path?.examine(stage().db)).toMatchObject({ status: 'ok' })
  })

  test('what is fetched is kept for a repeat', async () => {
    const shop = await openShop()
    const buy = () => shop.pay({ url: `${shop.vendor.url}/data` }, 'purchase-1')
    const [first, again] = [await buy(), await buy()]
    expect(first.body).toMatchObject({ status: 'paid', resource: { status: 200 } })
    expect(again.body).toEqual(first.body)
  })

  test('what the seller fails to deliver stays held, and is asked for again', async () => {
    const shop = await openShop()
    const buy = () => shop.pay({ url: `${shop.vendor.url}/broken` }, 'purchase-1')
    const [first, again] = [await buy(), await buy()]
    expect(first.body).toMatchObject({ status: 'settlement_unknown', hold: { state: 'held' } })
    expect(again.body.transactionId).toBe(first.body.transactionId)
    const id = first.body.transactionId.replace('txn_', '')
    // The second question is asked only when the first is answered.
    await waitUntil(async () => {
      const text = `update x402_payments set check_at = '-infinity' where id = $1 returning checks`
      return ((await shop.app.rows<{ checks: number }>(text, [id]))[0]?.checks ?? 0) > 1
    })
    expect(await shop.budget()).toEqual({ spent: 0.01, held: 0.01, left: 0.99 })
  })

  test('what the seller refuses after all is recorded as asked for again', async () => {
    const shop = await openShop()
    shop.facilitator.faults.settle = 'refuse'
    const { body } = await shop.pay({ url: `${shop.vendor.url}/data` })
    shop.facilitator.faults.settle = 'none'
    expect(body.anomalies).toMatchObject([{ kind: 'asked_again' }])
    const { external } = await shop.transaction(body.transactionId)
    expect(external?.['anomalies']).toEqual(body.anomalies)
  })

  test('a wallet does not promise more than it holds', async () => {
    const shop = await openShop(150_000n)
    const offer = shop.offer({ amount: '100000' })
    expect((await shop.pay(offer)).body.decision).toBe('approved')
    expect((await shop.pay(offer)).body.code).toBe('wallet_insufficient_funds')
  })
}

/** The same where nobody can be asked what happens on the chain. */
export const x402WithoutChainFlow: Flow = (stage) => {
  test('what is signed is taken for spent long after its end', async () => {
    const { app } = stage()
    const acme = await app.organization()
    await aWallet(acme)
    const { agentId } = await anActiveMandate(acme)
    const paid = await pay(acme, agentId, {}, { 'idempotency-key': 'purchase-1' })
    app.clock.now = Date.parse(paid.payment?.validBefore ?? '') + DAY_MS
    await waitUntil(async () => (await readRecord(acme, paid.transactionId)).status === 'settled')
    app.clock.now = undefined
  })
}
