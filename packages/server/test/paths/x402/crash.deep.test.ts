import { expect, onTestFinished, test } from 'vitest'
import { describeOnPostgres } from '../../support/database.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { startCustodian } from '../../support/x402/custodian.ts'
import { describeOnChain } from '../../support/x402/describe-on-chain.ts'
import { askV2, type HostileVendor, startHostileVendor } from '../../support/x402/hostile-vendor.ts'
import { paymentRequired } from '../../support/x402/payment-required.ts'
import { openPaymentSite, type PaymentSite } from '../../support/x402/payment-site.ts'
import { PAYEE } from '../../support/x402/shop.ts'

const SOMEWHERE = 'https://api.vendor.example/data'
const A_DIME = { amount: '100000', payTo: PAYEE, resource: SOMEWHERE, maxTimeoutSeconds: 120 }
const DIME_OFFER = { url: SOMEWHERE, paymentRequired: paymentRequired(A_DIME).v2 }

// The limits are wide because processes are started, and the first test may have to build them.

/** Nothing is asserted about how the request ends whose gateway is killed; only that it does. */
const swallow = () => {}

describeOnChain('payments of gateways that are killed', () => {
  describeOnPostgres('with their data on PostgreSQL', () => {
    test('between the hold and the signature: the repeat signs the same payment', async () => {
      const custodian = await startCustodian()
      custodian.mood = 'hang'
      const site = await openPaymentSite({ remote: custodian.wallet })
      const interrupted = site.pay(site.first, DIME_OFFER, 'purchase-1').catch(swallow)
      // The hold is committed before anybody is asked to sign.
      await waitUntil(() => custodian.nonces.length === 1)
      await site.first.kill()
      await interrupted
      expect(await site.budget()).toEqual({ spent: 100_000n, held: 100_000n })

      custodian.mood = 'sign'
      const second = await site.start()
      const { status, body, isReplay } = await site.pay(second, DIME_OFFER, 'purchase-1')
      expect([status, body.status, isReplay]).toEqual([200, 'signed', true])
      expect(custodian.nonces).toEqual([body.payment?.nonce, body.payment?.nonce])
      const rows = await site.database.db.query({ text: 'select nonce from x402_payments' })
      expect(rows).toEqual([{ nonce: body.payment?.nonce }])
      expect(await site.budget()).toEqual({ spent: 100_000n, held: 100_000n })

      const header = body.payment?.headerValue ?? ''
      expect(await site.facilitator.settleNow(header)).toMatchObject({ success: true })
      await site.becomes(body.transactionId, 'settled')
      expect(await site.chain.transfers()).toMatchObject([{ value: 100_000n }])
      expect(await site.budget()).toEqual({ spent: 100_000n, held: 0n })
    })

    test('once the vendor has cashed: the next one finds out by itself, and pays nothing more', async () => {
      const site = await openPaymentSite()
      const { vendor, url } = await openSlowVendor()
      const interrupted = site.pay(site.first, { url }, 'purchase-1').catch(swallow)
      await waitUntil(() => vendor.payments.length === 1)
      const receipt = await site.facilitator.settleNow(vendor.payments[0] ?? '')
      expect(receipt).toMatchObject({ success: true })
      await site.first.kill()
      await interrupted

      const second = await site.start()
      const [row] = await site.database.db.query<{ id: string }>({
        text: 'select id from x402_payments',
      })
      await site.becomes(row?.id ?? '', 'settled')
      expect(await site.budget()).toEqual({ spent: 100_000n, held: 0n })

      // For all that the second gateway knows, the first could still get what was paid for.
      await turnUntil(site, "now() + '1 hour'")
      const early = await site.pay(second, { url }, 'purchase-1')
      expect([early.status, early.body.code]).toEqual([409, 'idempotency_in_flight'])
      await turnUntil(site, 'now()')
      const { status, body, isReplay } = await site.pay(second, { url }, 'purchase-1')
      expect([status, isReplay]).toEqual([200, true])
      expect(body).toMatchObject({
        status: 'paid_not_delivered',
        resource: null,
        settlement: { state: 'settled', source: 'chain', verified: true },
      })
      expect(vendor.payments).toHaveLength(1)
      expect(await site.chain.transfers()).toMatchObject([{ value: 100_000n }])
      expect(await site.budget()).toEqual({ spent: 100_000n, held: 0n })
    })

    test('while the vendor has the payment: the next one sends the same, when it is its turn', async () => {
      const site = await openPaymentSite()
      const { vendor, url } = await openSlowVendor()
      const interrupted = site.pay(site.first, { url }, 'purchase-1').catch(swallow)
      await waitUntil(() => vendor.payments.length === 1)
      await site.first.kill()
      await interrupted

      // For all that the second gateway knows, the first could still be calling.
      const second = await site.start()
      await turnUntil(site, "now() + '1 hour'")
      const early = await site.pay(second, { url }, 'purchase-1')
      expect([early.status, early.body.code]).toEqual([409, 'idempotency_in_flight'])
      expect(vendor.payments).toHaveLength(1)
      expect(await site.budget()).toEqual({ spent: 100_000n, held: 100_000n })

      await turnUntil(site, 'now()')
      vendor.behave('/slow', { paid: { body: 'goods' } })
      const { body } = await site.pay(second, { url }, 'purchase-1')
      expect(body).toMatchObject({ status: 'delivered_unsettled', resource: { body: 'goods' } })
      const [header = '', ...others] = vendor.payments
      expect(others).toEqual([header])

      expect(await site.facilitator.settleNow(header)).toMatchObject({ success: true })
      await site.becomes(body.transactionId, 'settled')
      expect(await site.chain.transfers()).toMatchObject([{ value: 100_000n }])
      expect(await site.budget()).toEqual({ spent: 100_000n, held: 0n })
    })
  })
})

describeOnChain('payments of two gateways', () => {
  describeOnPostgres('on one database', () => {
    test('are approved up to the budget, move exactly that, and are booked once each', async () => {
      const site = await openPaymentSite({ budget: 1 })
      const gateways = [site.first, await site.start()]
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          site.pay(gateways[index % 2] ?? site.first, DIME_OFFER, `purchase-${index}`),
        ),
      )
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
      const payments = answers.flatMap(({ body }) => body.payment ?? [])
      expect(payments).toHaveLength(10)
      expect(new Set(payments.map(({ nonce }) => nonce)).size).toBe(10)
      expect(await site.budget()).toEqual({ spent: 1_000_000n, held: 1_000_000n })

      // Both are frozen, so that they find all ten settled at the moment at which they wake up.
      for (const gateway of gateways) gateway.pause()
      const receipts = []
      for (const { headerValue } of payments) {
        receipts.push(await site.facilitator.settleNow(headerValue))
      }
      expect(receipts.filter(({ success }) => success)).toHaveLength(10)
      expect(await site.chain.balanceOf(PAYEE)).toBe(1_000_000n)
      for (const gateway of gateways) gateway.resume()
      await waitUntil(async () => (await makeDue(site)) === 0)

      expect(await site.budget()).toEqual({ spent: 1_000_000n, held: 0n })
      const rows = await site.database.db.query<{ hash: string; status: string }>({
        text: `select p.chain_transaction as hash, t.status
               from x402_payments p join transactions t on t.id = p.id`,
      })
      expect(rows.map(({ status }) => status)).toEqual(Array(10).fill('settled'))
      expect(rows.map(({ hash }) => hash).sort()).toEqual(
        receipts.map(({ transaction }) => transaction).sort(),
      )
      expect(await site.chain.transfers()).toHaveLength(10)
    })
  })
})

async function openSlowVendor(): Promise<{ readonly vendor: HostileVendor; readonly url: string }> {
  const vendor = await startHostileVendor()
  onTestFinished(vendor.stop)
  const paid = { fault: 'hang' } as const
  return { vendor, url: vendor.behave('/slow', { unpaid: askV2(A_DIME), paid }) }
}

/** A slow machine may have let the turn of a killed process pass, or not. */
async function turnUntil({ database }: PaymentSite, time: string): Promise<void> {
  await database.db.query({ text: `update x402_payments set calling_until = ${time}` })
}

/**
 * Gives the number of open payments, and takes every claim on them back: with that, nothing but the
 * booking itself keeps two gateways apart that work on the same one.
 */
async function makeDue({ database }: PaymentSite): Promise<number> {
  const rows = await database.db.query({
    text: `update x402_payments set check_at = now() where state = 'held' returning 1`,
  })
  return rows.length
}
