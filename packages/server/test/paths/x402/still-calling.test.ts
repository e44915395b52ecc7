import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type Owner, type TestApp } from '../../support/app.ts'
import { audit } from '../../support/audit.ts'
import { anActiveMandate, bodyOf } from '../../support/builders.ts'
import { usualEngine } from '../../support/database.ts'
import { type Receiver, startReceiver } from '../../support/receiver.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { toHeader } from '../../support/x402/wire.ts'
import { aWallet, WITHOUT_NODE } from './payments.ts'
import { someDocument } from './some-offer.ts'

describe('a payment that is settled while the vendor still delivers', () => {
  let app: TestApp
  let vendor: Receiver
  let acme: Owner
  let agentId: string
  /** The answers that the vendor owes. */
  const open: ServerResponse[] = []

  beforeAll(async () => {
    vendor = await startReceiver((response, { headers }) => {
      if (headers['payment-signature'] !== undefined) open.push(response)
      else response.writeHead(402, { 'payment-required': toHeader(someDocument()) }).end()
    })
    app = await createTestApp(usualEngine(), WITHOUT_NODE)
    acme = await app.organization()
    await acme.patch('/organization', { x402Fetch: true })
    await aWallet(acme)
    ;({ agentId } = await anActiveMandate(acme))
  })
  afterAll(async () => {
    await vendor.close()
    const broken = await audit(app.database.db)
    await app.stop()
    expect(broken).toEqual([])
  })

  const buy = () => {
    const wish = { agentId, url: vendor.url, timeoutMs: 60_000 }
    return acme.post('/gateway/x402/pay', wish, { 'idempotency-key': 'k' })
  }

  test('is not called undelivered: a repeat is told to wait, and then gets the goods', async () => {
    const first = buy()
    await waitUntil(() => open.length === 1)
    const { data } = (await acme.get('/transactions')).body
    const path = `/transactions/${data[0]?.transactionId}/settle`
    bodyOf(await acme.post(path, { proof: `0x${'ab'.repeat(32)}` }))

    const early = await buy()
    expect([early.status, early.body.code]).toEqual([409, 'idempotency_in_flight'])
    expect(open).toHaveLength(1)

    open[0]?.writeHead(200).end('goods')
    const resource = { status: 200, body: 'goods' }
    expect((await first).body).toMatchObject({ resource })
    expect((await buy()).body).toMatchObject({ status: 'paid', resource })
    expect(open).toHaveLength(1)
  })
})
