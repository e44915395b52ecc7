import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  type Client,
  createTestApp,
  createTestAppOn,
  joinTestApp,
  type Owner,
  type TestApp,
} from '../../support/app.ts'
import { audit } from '../../support/audit.ts'
import { aKey, anActiveMandate, bodyOf } from '../../support/builders.ts'
import { createTestDatabase, describeOnPostgres } from '../../support/database.ts'
import { type Receiver, startReceiver } from '../../support/receiver.ts'
import { countLockWaits, holdLocks } from '../../support/row-lock.ts'
import { budgetOf } from '../../support/spends.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { pauseAfter } from '../../support/watched-database.ts'
import { toHeader } from '../../support/x402/wire.ts'
import { aPayment, aWallet, pay, refusalOf, WITHOUT_NODE } from './payments.ts'
import { someDocument } from './some-offer.ts'

/** An agent below another's mandate, and a key of its own. */
interface Scene {
  readonly owner: Owner
  readonly client: Client
  readonly keyId: string
  readonly agentId: string
  readonly mandateId: string
  readonly parentId: string
}

const KEY = { 'idempotency-key': 'payment' }
const isDecision = (text: string) => text.includes('insert into x402_payments')

/** Every way in which a person stops an agent. */
const STOPS: readonly [string, (scene: Scene) => Promise<unknown>][] = [
  ['the organization is frozen', ({ owner }) => owner.patch('/organization', { frozen: true })],
  [
    'the agent is paused',
    ({ owner, agentId }) => owner.patch(`/agents/${agentId}`, { status: 'paused' }),
  ],
  ['the agent is deleted', ({ owner, agentId }) => owner.delete(`/agents/${agentId}`)],
  ['the mandate is revoked', ({ owner, mandateId }) => owner.post(`/mandates/${mandateId}/revoke`)],
  [
    'the mandate above is revoked',
    ({ owner, parentId }) => owner.post(`/mandates/${parentId}/revoke`),
  ],
  ['the key is revoked', ({ owner, keyId }) => owner.delete(`/api-keys/${keyId}`)],
]

describe('a payment that was approved', () => {
  let app: TestApp
  let vendor: Receiver
  let afterDecision = async () => {}

  beforeAll(async () => {
    vendor = await startReceiver((response, { headers }) => {
      const isPaid = headers['payment-signature'] !== undefined
      const offer = { 'payment-required': toHeader(someDocument()) }
      response.writeHead(isPaid ? 500 : 402, isPaid ? {} : offer).end()
    })
    const database = await createTestDatabase()
    const db = pauseAfter(database.db, isDecision, () => afterDecision())
    app = await createTestAppOn(database, db, WITHOUT_NODE)
  })
  afterEach(() => {
    afterDecision = async () => {}
  })
  afterAll(async () => {
    const broken = await audit(app.database.db)
    await app.stop()
    await vendor.close()
    expect(broken).toEqual([])
  })

  async function aScene(): Promise<Scene> {
    const owner = await app.organization()
    await owner.patch('/organization', { x402Fetch: true })
    await aWallet(owner)
    const { id: parentId } = await anActiveMandate(owner)
    const child = await anActiveMandate(owner, { budgetTotal: 10, parentMandateId: parentId })
    const { key, client } = await aKey(app, owner)
    const { id: mandateId, agentId } = child
    return { owner, client, keyId: key.id, agentId, mandateId, parentId }
  }

  const signaturesOf = ({ owner }: Scene) =>
    app.rows('select 1 from x402_payments where organization_id = $1 and signature is not null', [
      owner.organizationId,
    ])

  describe.each(STOPS)('and that %s before it is signed', (_, stop) => {
    test('is not signed, and its hold is given back', async () => {
      const scene = await aScene()
      const { owner, client, agentId, mandateId } = scene
      afterDecision = async () => void bodyOf((await stop(scene)) as never)
      expect(await refusalOf(client, agentId, {}, KEY)).toEqual([409, 'x402_payment_stopped'])
      expect(await signaturesOf(scene)).toEqual([])
      expect(await budgetOf(owner, mandateId)).toEqual([0, 0, 10])
      const records = await app.rows<{ status: string; external: object }>(
        'select status, external from transactions where organization_id = $1',
        [owner.organizationId],
      )
      expect(records).toMatchObject([{ status: 'voided', external: { settlement: 'unsigned' } }])
    })

    test('is not sent to the vendor either', async () => {
      const scene = await aScene()
      const { client, agentId } = scene
      const before = vendor.received.length
      afterDecision = async () => void (await stop(scene))
      const { status, body } = await client.post(
        '/gateway/x402/pay',
        { agentId, url: vendor.url },
        KEY,
      )
      expect([status, body.code]).toEqual([409, 'x402_payment_stopped'])
      expect(vendor.received).toHaveLength(before + 1)
    })
  })

  test.each(
    STOPS.filter(([what]) => !['the key is revoked', 'the agent is deleted'].includes(what)),
  )('whose signature was handed out before %s is not handed out again', async (_, stop) => {
    const scene = await aScene()
    const { owner, client, agentId, mandateId } = scene
    const first = await pay(client, agentId, {}, KEY)
    expect(first.status).toBe('signed')
    await stop(scene)
    const again = await pay(client, agentId, {}, KEY)
    expect([again.status, again.payment]).toEqual(['settlement_unknown', null])
    expect(again.hold).toMatchObject({ state: 'held' })
    expect(await budgetOf(owner, mandateId)).toEqual([0.01, 0.01, 9.99])
  })

  test('is handed out again, the same, once the agent may spend again', async () => {
    const { owner, client, agentId } = await aScene()
    const first = await pay(client, agentId, {}, KEY)
    await owner.patch('/organization', { frozen: true })
    expect((await pay(client, agentId, {}, KEY)).payment).toBeNull()
    await owner.patch('/organization', { frozen: false })
    expect((await pay(client, agentId, {}, KEY)).payment).toEqual(first.payment)
  })
})

describeOnPostgres('while somebody stops an agent', () => {
  let app: TestApp
  let second: TestApp

  beforeAll(async () => {
    app = await createTestApp('postgres', WITHOUT_NODE)
    second = await joinTestApp(app, WITHOUT_NODE)
  })
  afterAll(async () => {
    const broken = await audit(app.database.db)
    await second.stop()
    await app.stop()
    expect(broken).toEqual([])
  })

  test.each([
    ['the organization', 'update organizations set frozen = true where id = $1'],
    ['the agent', `update agents set status = 'paused' where organization_id = $1`],
    ['the key', 'update api_keys set revoked_at = now() where organization_id = $1'],
  ])('a signature waits for the end of that: %s', async (_, text) => {
    const owner = await app.organization()
    await aWallet(owner)
    const { agentId } = await anActiveMandate(owner)
    const { db } = app.database
    const stop = await holdLocks(db, { text, values: [owner.organizationId] })
    const refused = refusalOf(second.client(owner.apiKey), agentId)
    await waitUntil(async () => (await countLockWaits(db)) > 0)
    await stop.release()
    expect(await refused).toEqual([409, 'x402_payment_stopped'])
  })

  test('no signature leaves after the answer that everything is stopped', async () => {
    for (let round = 0; round < 3; round += 1) {
      const owner = await app.organization()
      await aWallet(owner)
      const { agentId } = await anActiveMandate(owner)
      const clients = [owner, second.client(owner.apiKey)]
      const payments = Array.from({ length: 24 }, (_, index) =>
        clients[index % 2]?.post('/gateway/x402/pay', aPayment(agentId)),
      )
      const ofThis = 'from x402_payments where organization_id = $1 and handed_out_at'
      const of = [owner.organizationId]
      await waitUntil(async () => (await app.rows(`select 1 ${ofThis} is not null`, of)).length > 1)
      bodyOf(await owner.patch('/organization', { frozen: true }))
      const [time] = await app.rows<{ at: string }>('select clock_timestamp()::text as at')
      await Promise.all(payments)
      expect(await app.rows(`select id ${ofThis} > $2`, [...of, time?.at])).toEqual([])
    }
  })
})
