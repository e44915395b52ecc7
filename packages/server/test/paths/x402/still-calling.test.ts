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

describe('a purchase while the vendor may be being called', () => {
  let app: TestApp
  let vendor: Receiver
  let acme: Owner
  let agentId: string
  let isSlow = false
  /** The answers that a slow vendor owes. */
  const open: ServerResponse[] = []

  beforeAll(async () => {
    vendor = await startReceiver((response, { headers }) => {
      const isPaid = headers['payment-signature'] !== undefined
      if (isPaid && isSlow) open.push(response)
      else if (isPaid) response.end('goods')
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

  const buy = (key: string) => {
    const wish = { agentId, url: vendor.url, timeoutMs: 60_000 }
    return acme.post('/gateway/x402/pay', wish, { 'idempotency-key': key })
  }

  test('is not called undelivered once it is settled: a repeat waits, and gets the goods', async () => {
    isSlow = true
    const first = buy('k')
    await waitUntil(() => open.length === 1)
    const { data } = (await acme.get('/transactions')).body
    const path = `/transactions/${data[0]?.transactionId}/settle`
    bodyOf(await acme.post(path, { proof: `0x${'ab'.repeat(32)}` }))

    const early = await buy('k')
    expect([early.status, early.body.code]).toEqual([409, 'idempotency_in_flight'])
    expect(open).toHaveLength(1)

    open[0]?.writeHead(200).end('goods')
    const resource = { status: 200, body: 'goods' }
    expect((await first).body).toMatchObject({ resource })
    expect((await buy('k')).body).toMatchObject({ status: 'paid', resource })
    expect(open).toHaveLength(1)
  })

  test('can be tried again at once when it could not be signed: nobody calls then', async () => {
    await app.rows(
      `create function refuse_signatures() returns trigger language plpgsql as $$ begin
         raise exception 'no';
       end $$`,
    )
    await app.rows(
      `create trigger refuse_signatures before update of signature on x402_payments
       for each row execute function refuse_signatures()`,
    )
    isSlow = false
    expect((await buy('signed later')).status).toBe(500)
    await app.rows('drop trigger refuse_signatures on x402_payments')
    const { status, body } = await buy('signed later')
    expect([status, body.resource?.body]).toEqual([200, 'goods'])
  })
})
