import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createTestAppOn, type Owner, type TestApp } from '../../support/app.ts'
import { audit } from '../../support/audit.ts'
import { anActiveMandate } from '../../support/builders.ts'
import { createTestDatabase } from '../../support/database.ts'
import { pathsOn } from '../../support/paths.ts'
import { type Receiver, startReceiver } from '../../support/receiver.ts'
import { budgetOf } from '../../support/spends.ts'
import { pauseAfter } from '../../support/watched-database.ts'
import { toHeader } from '../../support/x402/wire.ts'
import { aWallet, pay, readRecord, refusalOf } from './payments.ts'
import { NETWORK, someDocument } from './some-offer.ts'

const BLOCKED = [{ type: 'vendors', block: ['api.vendor.example', '127.0.0.1'] }]
const NOTHING_DEAR = [{ type: 'amount', max: 0.001 }]

/** A first look at a spend reads mandates and locks none. */
const isFirstLook = (text: string) =>
  text.includes('own.ancestor_ids') && !text.includes('for update')

describe('while the node is down', () => {
  let app: TestApp
  let acme: Owner
  let node: Receiver
  let vendor: Receiver
  let afterLook = async () => {}

  beforeAll(async () => {
    node = await startReceiver((response) => response.destroy())
    vendor = await startReceiver((response) => {
      response.writeHead(402, { 'payment-required': toHeader(someDocument()) }).end('{}')
    })
    const database = await createTestDatabase()
    const db = pauseAfter(database.db, isFirstLook, () => afterLook())
    const paths = pathsOn([{ network: NETWORK, rpcUrl: node.url, finality: 'latest' }])
    app = await createTestAppOn(database, db, { paths })
    acme = await app.organization()
    await acme.patch('/organization', { x402Fetch: true })
    await aWallet(acme)
  })
  afterEach(() => {
    afterLook = async () => {}
  })
  afterAll(async () => {
    const broken = await audit(app.database.db)
    await app.stop()
    await Promise.all([node.close(), vendor.close()])
    expect(broken).toEqual([])
  })

  const recordsOf = async (agentId: string) =>
    (await acme.get(`/transactions?agentId=${agentId}`)).body.data

  test.each([
    ['a vendor that is forbidden', BLOCKED, 'vendor_blocked'],
    ['a price that is too high', NOTHING_DEAR, 'amount_above_max'],
  ])('%s is a recorded rejection', async (_, rules, code) => {
    const { agentId } = await anActiveMandate(acme, { rules })
    const paid = await pay(acme, agentId)
    expect([paid.status, paid.evaluationDetails.code]).toEqual(['rejected', code])
    const record = await readRecord(acme, paid.transactionId)
    expect(record).toMatchObject({ status: 'rejected', path: 'x402', external: null })
  })

  test('a vendor that asks too much in fetch is a recorded rejection', async () => {
    const { agentId } = await anActiveMandate(acme, { rules: NOTHING_DEAR })
    const { body } = await acme.post('/gateway/x402/pay', { agentId, url: vendor.url })
    expect(body).toMatchObject({
      status: 'rejected',
      evaluationDetails: { code: 'amount_above_max' },
    })
    expect(await recordsOf(agentId)).toHaveLength(1)
  })

  test('a rejection is repeated under its key, and is not a second one', async () => {
    const { agentId } = await anActiveMandate(acme, { rules: BLOCKED })
    const key = { 'idempotency-key': 'down' }
    const first = await pay(acme, agentId, {}, key)
    expect((await pay(acme, agentId, {}, key)).transactionId).toBe(first.transactionId)
    expect(await recordsOf(agentId)).toHaveLength(1)
  })

  test('what may be paid is not decided, and nothing is recorded or held', async () => {
    const { agentId, id } = await anActiveMandate(acme)
    expect(await refusalOf(acme, agentId)).toEqual([503, 'chain_unavailable'])
    expect(await recordsOf(agentId)).toEqual([])
    expect(await budgetOf(acme, id)).toEqual([0, 0, 100])
  })

  test('what is allowed only by the time of the decision is not approved either', async () => {
    const owner = await app.organization()
    await aWallet(owner)
    const { agentId, id } = await anActiveMandate(owner)
    await owner.patch('/organization', { frozen: true })
    let looks = 0
    afterLook = async () => {
      looks += 1
      await owner.patch('/organization', { frozen: false })
    }
    const key = { 'idempotency-key': 'race' }
    expect(await refusalOf(owner, agentId, {}, key)).toEqual([503, 'chain_unavailable'])
    expect(looks).toBe(1)
    expect((await owner.get(`/transactions?agentId=${agentId}`)).body.data).toEqual([])
    expect(await budgetOf(owner, id)).toEqual([0, 0, 100])
  })
})
