import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { toUuid } from '../../../src/core/id.ts'
import { createTestApp, type Owner, type TestApp } from '../../support/app.ts'
import { audit } from '../../support/audit.ts'
import { anActiveMandate, DAY_MS } from '../../support/builders.ts'
import { usualEngine } from '../../support/database.ts'
import { budgetOf } from '../../support/spends.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { describeOnChain } from '../../support/x402/describe-on-chain.ts'
import { openShop } from '../../support/x402/shop.ts'
import { aWallet, type Paid, pay, readRecord, refusalOf, WITHOUT_NODE } from './payments.ts'

const KEY = { 'idempotency-key': 'once' }
const endOf = ({ payment }: Pick<Paid, 'payment'>) => Date.parse(payment?.validBefore ?? '')

/** As a process leaves a payment that dies between the decision and the signature. */
const unsign = async (app: TestApp, { organizationId }: Owner) => {
  const text =
    'update x402_payments set handed_out_at = null, signature = null where organization_id = $1'
  await app.rows(text, [organizationId])
}

const signaturesOf = (app: TestApp, { organizationId }: Owner) =>
  app.rows('select 1 from x402_payments where organization_id = $1 and signature is not null', [
    organizationId,
  ])

describeOnChain('a payment that was never signed', () => {
  // The chain's clock is turned, so it has a chain of its own.
  test('and was given back by the chain is not signed by a repeat', async () => {
    const shop = await openShop()
    const { app, acme } = shop
    const offer = shop.offer({})
    const { body } = await shop.pay(offer, 'once')
    await unsign(app, acme)
    await shop.chain.mineAt(Date.parse(body.payment?.validBefore ?? '') / 1_000)
    await shop.becomes(body.transactionId, 'voided')
    const again = await shop.pay(offer, 'once')
    expect([again.status, again.body.code]).toEqual([503, 'signer_unavailable'])
    expect(await signaturesOf(app, acme)).toEqual([])
    expect(await shop.budget()).toEqual({ spent: 0, held: 0, left: 1 })
  })
})

describe('a payment that was never signed, where no chain can be asked,', () => {
  let app: TestApp
  let acme: Owner
  let agentId: string
  let mandateId: string
  let paid: Paid

  beforeAll(async () => {
    app = await createTestApp(usualEngine(), WITHOUT_NODE)
  })
  afterEach(() => {
    app.clock.now = undefined
  })
  afterAll(async () => {
    const broken = await audit(app.database.db)
    await app.stop()
    expect(broken).toEqual([])
  })

  async function anUnsignedPayment(): Promise<void> {
    acme = await app.organization()
    await aWallet(acme)
    const mandate = await anActiveMandate(acme, { budgetTotal: 1 })
    agentId = mandate.agentId
    mandateId = mandate.id
    paid = await pay(acme, agentId, {}, KEY)
    await unsign(app, acme)
  }

  test('is signed by a repeat that comes before its end', async () => {
    await anUnsignedPayment()
    app.clock.now = endOf(paid) - 1
    expect((await pay(acme, agentId, {}, KEY)).payment).toEqual(paid.payment)
  })

  test('is given back, and not signed, when the repeat comes too late', async () => {
    await anUnsignedPayment()
    app.clock.now = endOf(paid)
    const refused = await refusalOf(acme, agentId, {}, KEY)
    expect(refused).toEqual([503, 'signer_unavailable'])
    expect(await signaturesOf(app, acme)).toEqual([])
    expect(await budgetOf(acme, mandateId)).toEqual([0, 0, 1])
    const { status, external } = await readRecord(acme, paid.transactionId)
    expect([status, external?.['settlement']]).toEqual(['voided', 'unsigned'])
  })

  test('is given back by itself, although its chain could be asked when it was allowed', async () => {
    await anUnsignedPayment()
    const id = toUuid('txn', paid.transactionId)
    await app.rows('update x402_payments set from_block = 5 where id = $1', [id])
    const path = `/transactions/${paid.transactionId}`
    const proof = `0x${'ab'.repeat(32)}`
    // Nobody can have cashed what nobody has.
    expect((await acme.post(`${path}/settle`, { proof })).status).toBe(409)
    app.clock.now = endOf(paid) + DAY_MS
    await waitUntil(async () => (await readRecord(acme, paid.transactionId)).status === 'voided')
    expect(await budgetOf(acme, mandateId)).toEqual([0, 0, 1])
  })
})
