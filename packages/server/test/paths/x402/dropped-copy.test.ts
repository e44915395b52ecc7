import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { removeOldDeliveries } from '../../../src/paths/x402/storage/deliveries.ts'
import { createTestApp, type Owner, type TestApp } from '../../support/app.ts'
import { anActiveMandate, DAY_MS } from '../../support/builders.ts'
import { usualEngine } from '../../support/database.ts'
import { type Receiver, startReceiver } from '../../support/receiver.ts'
import { toHeader } from '../../support/x402/wire.ts'
import { aWallet, WITHOUT_NODE } from './payments.ts'
import { someDocument } from './some-offer.ts'

describe('a delivery whose copy is gone', () => {
  let app: TestApp
  let acme: Owner
  let vendor: Receiver
  let agentId: string
  let paidStatus = 200

  beforeAll(async () => {
    vendor = await startReceiver((response, { headers }) => {
      const isPaid = headers['payment-signature'] !== undefined
      const offer = { 'payment-required': toHeader(someDocument()) }
      response.writeHead(isPaid ? paidStatus : 402, isPaid ? {} : offer).end('goods')
    })
    app = await createTestApp(usualEngine(), WITHOUT_NODE)
  })
  beforeEach(async () => {
    paidStatus = 200
    acme = await app.organization()
    await acme.patch('/organization', { x402Fetch: true })
    await aWallet(acme)
    ;({ agentId } = await anActiveMandate(acme))
  })
  afterAll(async () => {
    await app.stop()
    await vendor.close()
  })

  const buy = async () =>
    (await acme.post('/gateway/x402/pay', { agentId, url: vendor.url }, { 'idempotency-key': 'k' }))
      .body
  const change = (set: string) =>
    app.rows(`update x402_payments set ${set} where organization_id = $1`, [acme.organizationId])
  const settle = () => change(`state = 'settled', proof = 'chain', ended_at = now()`)
  const dropCopy = () => removeOldDeliveries(app.database.db, Date.now() + 2 * DAY_MS)

  test('was delivered all the same', async () => {
    expect((await buy()).status).toBe('delivered_unsettled')
    await settle()
    expect(await buy()).toMatchObject({ status: 'paid', resource: { status: 200, body: 'goods' } })
    await dropCopy()
    expect(await buy()).toMatchObject({
      status: 'paid',
      resource: null,
      resourceError: { code: 'not_kept', message: expect.stringContaining('delivered') },
    })
  })

  test('was delivered also while no transfer is seen, and the payment is not sent again', async () => {
    await buy()
    await dropCopy()
    const before = vendor.received.length
    expect(await buy()).toMatchObject({
      status: 'delivered_unsettled',
      resourceError: { code: 'not_kept' },
    })
    expect(vendor.received).toHaveLength(before)
  })

  test('was delivered also if an older version kept it', async () => {
    await buy()
    await settle()
    await change('delivered = null')
    await dropCopy()
    expect((await buy()).status).toBe('paid')
  })

  test('is told from an error that was paid for, whose copy is gone as well', async () => {
    paidStatus = 500
    expect((await buy()).status).toBe('settlement_unknown')
    await settle()
    expect((await buy()).status).toBe('paid_not_delivered')
    await change(`delivery = '\\x00', delivered = false`)
    await dropCopy()
    expect((await buy()).status).toBe('paid_not_delivered')
  })
})
