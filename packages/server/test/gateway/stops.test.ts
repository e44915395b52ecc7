import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Database, Tx } from '../../src/storage/engine/database.ts'
import { openPostgres } from '../../src/storage/engine/postgres.ts'
import { EXAMPLES } from '../paths/examples.ts'
import type { PathExample, SpendRequest } from '../paths/path-example.ts'
import { WITHOUT_NODE } from '../paths/x402/payments.ts'
import { createTestAppOn, joinTestApp, type Owner, type TestApp } from '../support/app.ts'
import { audit } from '../support/audit.ts'
import { bodyOf } from '../support/builders.ts'
import { createTestDatabase, describeOnPostgres } from '../support/database.ts'
import { aSubmission, createPathGateway } from '../support/path-gateway.ts'
import { silentLog } from '../support/silent-log.ts'
import { waitUntil } from '../support/wait-until.ts'

/*
 * A stop is a point in time. Here it comes after a batch has read everything that it judges by, and before
 * the batch is stored: the worst moment, at which another process may stand still for as long as it likes.
 */

/** The card is read in the batch; before that, a decision does not look at the card again. */
const READS_CARDS = existsSync(
  resolve(import.meta.dirname, '../../src/gateway/batch/path-reads.ts'),
)

interface Spender {
  readonly agentId: string
  readonly mandateId: string
  readonly cardId: string | undefined
  request(n: number): SpendRequest
}

interface Stop {
  readonly name: string
  readonly code: string
  readonly paths?: readonly string[]
  turn(acme: Owner, spender: Spender, isOn: boolean): Promise<unknown>
}

const STOPS: readonly Stop[] = [
  {
    name: 'the organization is frozen',
    code: 'organization_frozen',
    turn: (acme, _, isOn) => acme.patch('/organization', { frozen: isOn }),
  },
  {
    name: 'the agent is paused',
    code: 'agent_paused',
    turn: (acme, { agentId }, isOn) =>
      acme.patch(`/agents/${agentId}`, { status: isOn ? 'paused' : 'active' }),
  },
  {
    name: 'the card is paused',
    code: 'card_paused',
    paths: READS_CARDS ? ['card'] : [],
    turn: (acme, { cardId }, isOn) =>
      acme.patch(`/cards/${cardId}`, { status: isOn ? 'paused' : 'active' }),
  },
]

const CASES = EXAMPLES.flatMap((path) =>
  STOPS.filter(({ paths }) => paths?.includes(path.name) ?? true).map(
    (stop) => [path.name, stop.name, stop, path] as const,
  ),
)

describeOnPostgres('a stop between the reads of a batch and its commit', () => {
  let app: TestApp
  let other: TestApp
  let acme: Owner
  let there: Owner
  let spends = 0
  /** Called once a batch has read what it judges by. */
  let afterReads: () => Promise<unknown> = async () => {}

  beforeAll(async () => {
    const database = await createTestDatabase('postgres')
    const db = await openPostgres({ url: database.url }, silentLog)
    const hooked = hookAfterReads(db, () => afterReads())
    app = await createTestAppOn(database, hooked, WITHOUT_NODE)
    other = await joinTestApp(app, WITHOUT_NODE)
    acme = await app.organization()
    there = { ...other.client(acme.apiKey), organizationId: acme.organizationId }
    stopLater = () => db.close()
  })
  let stopLater: () => Promise<void> = async () => {}
  beforeEach(() => {
    afterReads = async () => {}
  })
  afterAll(async () => {
    const broken = await audit(app.database.db)
    await other?.stop()
    await stopLater()
    await app?.stop()
    expect(broken).toEqual([])
  })

  async function aSpender(path: PathExample): Promise<Spender> {
    const { id: agentId } = bodyOf(await there.post('/agents', { name: 'Agent' }))
    const { id: mandateId } = bodyOf(await there.post('/mandates', { agentId, budgetTotal: 100 }))
    bodyOf(await there.post(`/mandates/${mandateId}/activate`))
    const request = await path.equip(there, agentId)
    const { data } = bodyOf(await there.get(`/cards?agentId=${agentId}`))
    return { agentId, mandateId, cardId: data[0]?.id, request }
  }

  async function spend({ request }: Spender) {
    spends += 1
    const { path, body, headers } = request(spends)
    return acme.post(path, body, headers)
  }

  /** Does this once, for the first batch that has read. */
  function once(run: () => Promise<unknown>): () => boolean {
    let isDone = false
    afterReads = async () => {
      if (isDone) return
      isDone = true
      await run()
    }
    return () => isDone
  }

  const spent = async ({ mandateId }: Spender) =>
    bodyOf(await there.get(`/mandates/${mandateId}`)).budgetSpent

  test.each(CASES)('lets nothing pass over %s: %s', async (_path, _name, { turn, code }, path) => {
    const spender = await aSpender(path)
    const isDone = once(async () => turn(there, spender, true))
    const { body } = bodyOfSpend(await spend(spender))
    expect(isDone()).toBe(true)
    expect(body).toMatchObject({ decision: 'rejected', evaluationDetails: { code } })
    expect(await spent(spender)).toBe(0)
    await turn(there, spender, false)
  })

  test.each([
    ['revoking a mandate', ({ mandateId }: Spender) => there.post(`/mandates/${mandateId}/revoke`)],
    ['deleting an agent', ({ agentId }: Spender) => there.delete(`/agents/${agentId}`)],
  ])('%s waits for the batch, which was first', async (_name, turn) => {
    const [evaluate] = EXAMPLES
    const spender = await aSpender(evaluate as PathExample)
    const order: string[] = []
    let turned: Promise<unknown> = Promise.resolve()
    once(async () => {
      turned = turn(spender).then(({ status }) => order.push(`stopped ${status}`))
      await waitUntil(async () => {
        const text = `select 1 from pg_stat_activity where datname = current_database()
                      and wait_event_type = 'Lock'`
        return (await app.rows(text)).length > 0
      })
      order.push('waits')
    })
    const { body } = bodyOfSpend(await spend(spender))
    await turned
    expect(body).toMatchObject({ decision: 'approved' })
    expect(order).toEqual(['waits', 'stopped 200'])
  })

  test('is seen although it was taken back at once: the batch is judged again', async () => {
    const [evaluate] = EXAMPLES
    const spender = await aSpender(evaluate as PathExample)
    let reads = 0
    afterReads = async () => {
      reads += 1
      if (reads === 1) await toggle(spender)
    }
    expect(bodyOfSpend(await spend(spender)).body.decision).toBe('approved')
    expect(reads).toBe(2)
    expect(await spent(spender)).toBe(1)
  })

  test('again and again approves nothing: the caller is asked to come back', async () => {
    const [evaluate] = EXAMPLES
    const spender = await aSpender(evaluate as PathExample)
    let reads = 0
    afterReads = async () => {
      reads += 1
      await toggle(spender)
    }
    const answer = await spend(spender)
    afterReads = async () => {}
    expect([answer.status, answer.body.code]).toEqual([503, 'overloaded'])
    expect(reads).toBeLessThan(20)
    expect(await spent(spender)).toBe(0)
    expect(bodyOfSpend(await spend(spender)).body.decision).toBe('approved')
  })

  test('does not keep money from the record that has moved, nor a repeat from its answer', async () => {
    const [evaluate] = EXAMPLES
    const spender = await aSpender(evaluate as PathExample)
    const headers = { 'idempotency-key': 'first' }
    const { path, body } = spender.request(1)
    const first = bodyOf(await acme.post(path, body, headers))
    const held = bodyOf(await acme.post(path, { ...body, hold: { expiresIn: '1h' } }))
    const gateway = createPathGateway(app, hookAfterReads(app.database.db, afterHook))
    const frozen = there.patch.bind(there, '/organization', { frozen: true })
    let isFrozen = false
    async function afterHook() {
      if (!isFrozen) bodyOf(await frozen())
      isFrozen = true
    }
    const recorded = await gateway.record(aSubmission(acme, spender.agentId))
    expect(recorded).toMatchObject({ decision: 'approved', code: 'recorded' })
    expect(bodyOf(await acme.post(path, body, headers))).toEqual(first)
    expect((await acme.post(`/transactions/${held.transactionId}/settle`)).status).toBe(200)
    await gateway.stop()
    await there.patch('/organization', { frozen: false })
  })

  const toggle = async ({ agentId }: Spender) => {
    for (const status of ['paused', 'active']) {
      bodyOf(await there.patch(`/agents/${agentId}`, { status }))
    }
  }
})

function bodyOfSpend(answer: Awaited<ReturnType<Owner['post']>>) {
  expect(answer.status, answer.text).toBe(200)
  return answer
}

/** The same database, on which a batch that has read who spends waits for the hook. */
function hookAfterReads(db: Database, hook: () => Promise<unknown>): Database {
  const watch = (tx: Tx): Tx => {
    let isBatch = false
    return {
      ...tx,
      query: async (statement) => {
        isBatch ||= statement.name === 'begin-batch'
        const rows = await tx.query<never>(statement)
        if (isBatch && /^read-spenders?$/.test(statement.name ?? '')) await hook()
        return rows
      },
    }
  }
  return {
    ...db,
    transaction: (run, ...rest) => db.transaction((tx) => run(watch(tx)), ...rest),
  }
}
