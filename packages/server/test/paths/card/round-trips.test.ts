import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildApp } from '../../../src/process/server.ts'
import { createOrganization } from '../../../src/process/setup.ts'
import type { Database } from '../../../src/storage/engine/database.ts'
import { openPostgres } from '../../../src/storage/engine/postgres.ts'
import { TEST_CONFIG } from '../../support/app.ts'
import {
  createTestDatabase,
  describeOnPostgres,
  type TestDatabase,
} from '../../support/database.ts'
import { silentLog } from '../../support/silent-log.ts'
import { sealer } from '../../support/tenant.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { startWireCounter, type WireCount, type WireCounter } from '../../support/wire-counter.ts'

/** As in gateway/round-trips.test.ts: workers disturb some tries, and only add to them. */
const TRIES = { min: 3, max: 60 }

/**
 * Round trips and statements. The issuer waits for all but the last round trip, in which the request's
 * key is given free: for as many as an evaluation with an Idempotency-Key takes. Card, facts and vendor
 * are read behind the locks. A change that adds to them says so here, and why in its commit.
 */
const EXPECTED = {
  'when it is asked for the first time': [3, 15],
  // A statement marks the transaction as one that counts no further purchase.
  'when more is asked for it': [3, 16],
  // The vendor is guessed, so that its counters are read with the locks.
  'under limits, at a vendor of the directory': [3, 17],
  // What was decided is read once it is known that it was.
  'when it is repeated': [4, 11],
  'when it is repeated after its key is gone': [4, 10],
  // The agent of the card has to be found first.
  'with a card that this process meets for the first time': [4, 16],
} as const

type Name = keyof typeof EXPECTED

describeOnPostgres('a card authorization sends to the database', () => {
  let database: TestDatabase
  let wire: WireCounter
  let db: Database
  let built: Awaited<ReturnType<typeof buildApp>>
  let apiKey: string
  let connectionId: string
  let numbers = 0

  beforeAll(async () => {
    database = await createTestDatabase('postgres')
    wire = await startWireCounter(database.url)
    db = await openPostgres({ url: wire.url }, silentLog)
    built = await buildApp({ db, sealer }, TEST_CONFIG, pino({ level: 'silent' }))
    await built.app.ready()
    apiKey = (await createOrganization({ db, sealer }, TEST_CONFIG, 'Acme')).apiKey
    const agentId = (await post('/agents', { name: 'Agent' })).id
    const { id } = await post('/mandates', { agentId, budgetTotal: 1_000 })
    await post(`/mandates/${id}/activate`, {})
    connectionId = (await post('/card-connections', { provider: 'generic', name: 'Cards' })).id
    // Nothing here is about how fast a machine is.
    await database.db.query({ text: 'update card_connections set deadline_ms = 600000' })
    await post('/cards', { connectionId, externalId: 'ic_1', agentId, currency: 'USD' })
    await post('/cards', { connectionId, externalId: 'limited', agentId: await limitedAgent() })
    await post('/vendors', {
      name: 'Known',
      host: 'known.example.com',
      cardAliases: [{ merchantId: 'known' }],
    })
  })
  afterAll(async () => {
    await built?.stop()
    await db?.close()
    await wire?.close()
    await database?.drop()
  })

  async function post(path: string, body: object) {
    const response = await built.app.inject({
      method: 'POST',
      url: `/api/v1${path}`,
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      payload: JSON.stringify(body),
    })
    expect(response.statusCode, response.body).toBe(200)
    return response.json<{ id: string; code: string }>()
  }

  async function limitedAgent(): Promise<string> {
    const { id: agentId } = await post('/agents', { name: 'Limited' })
    const rules = [
      { type: 'limit', maxAmount: 900, window: 'day' },
      { type: 'limit', maxCount: 900, window: '1h', groupBy: 'vendor' },
    ]
    const { id } = await post('/mandates', { agentId, budgetTotal: 1_000, rules })
    await post(`/mandates/${id}/activate`, {})
    return agentId
  }

  /** A card of the same agent, whose mandate the process knows. */
  async function newCard(): Promise<string> {
    const externalId = `new-${numbers++}`
    const [row] = await database.db.query<{ agentId: string }>({
      text: 'select agent_id as "agentId" from cards where external_id = \'ic_1\'',
    })
    await post('/cards', { connectionId, externalId, agentId: row?.agentId })
    return externalId
  }

  /** Until the key is given free, which nobody waits for. */
  async function ask(requestId: string, fields: object = {}): Promise<void> {
    const { code } = await post('/gateway/card/authorize', {
      connectionId,
      requestId,
      authorizationId: requestId,
      type: 'initial',
      card: { externalId: 'ic_1' },
      amount: 1,
      currency: 'USD',
      merchant: { name: 'OPENAI', id: '100200300400', mcc: '5734', country: 'US' },
      occurredAt: '2026-11-15T09:30:00.000Z',
      ...fields,
    })
    expect(code).toBe('approved')
    await waitUntil(isNoKeyTaken)
  }

  /** Asked beside the wire. */
  async function isNoKeyTaken(): Promise<boolean> {
    const taken = await database.db.query({
      text: `select 1 from pg_locks l join pg_database d on d.oid = l.database
             where l.locktype = 'advisory' and d.datname = current_database()`,
    })
    return taken.length === 0
  }

  const newRequest = () => `request-${numbers++}`
  const sentOf = ({ roundTrips, statements }: WireCount) => [roundTrips, statements.length]
  const weightOf = ({ roundTrips, statements }: WireCount) => 1_000 * roundTrips + statements.length

  const LIMITED = { card: { externalId: 'limited' }, merchant: { name: 'KNOWN', id: 'known' } }

  /** Each of them asks once before, which also has the connection looked up: once a second. */
  const PREPARED: Readonly<Record<Name, () => Promise<() => Promise<void>>>> = {
    'when it is asked for the first time': async () => {
      await ask(newRequest())
      return () => ask(newRequest())
    },
    'when more is asked for it': async () => {
      const authorizationId = newRequest()
      await ask(newRequest(), { authorizationId })
      return () => ask(newRequest(), { authorizationId, type: 'incremental' })
    },
    'under limits, at a vendor of the directory': async () => {
      await ask(newRequest(), LIMITED)
      return () => ask(newRequest(), LIMITED)
    },
    'when it is repeated': async () => {
      const requestId = newRequest()
      await ask(requestId)
      return () => ask(requestId)
    },
    'when it is repeated after its key is gone': async () => {
      const requestId = newRequest()
      await ask(requestId)
      await database.db.query({ text: 'delete from idempotency_keys' })
      return () => ask(requestId)
    },
    'with a card that this process meets for the first time': async () => {
      await ask(newRequest())
      const externalId = await newCard()
      return () => ask(newRequest(), { card: { externalId } })
    },
  }

  test.each(Object.keys(EXPECTED) as Name[])('%s', async (name) => {
    const expected = EXPECTED[name]
    const countOnce = async () => wire.count(await PREPARED[name]())
    let fewest = await countOnce()
    const isEnough = (tries: number) =>
      tries >= TRIES.min && String(sentOf(fewest)) === String(expected)
    for (let tries = 1; tries < TRIES.max && !isEnough(tries); tries += 1) {
      const count = await countOnce()
      if (weightOf(count) < weightOf(fewest)) fewest = count
    }
    expect(sentOf(fewest), fewest.statements.join('\n')).toEqual(expected)
  })
})
