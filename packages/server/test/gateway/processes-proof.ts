import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../src/storage/engine/database.ts'
import { openPostgres } from '../../src/storage/engine/postgres.ts'
import { audit } from '../support/audit.ts'
import { type Call, type CallAnswer, type Caller, createCaller } from '../support/caller.ts'
import { createTestDatabase, describeOnPostgres, type TestDatabase } from '../support/database.ts'
import { addMandate, openSite, type Site } from '../support/gateway-cluster.ts'
import type { GatewayProcess } from '../support/gateway-process.ts'
import { untilNotBusy } from '../support/not-busy.ts'
import { createRandom, type Random } from '../support/random.ts'
import { silentLog } from '../support/silent-log.ts'
import { aSpend } from '../support/spends.ts'

const CLIENTS = 48
const CHECK_EVERY = 80
const ROUNDS_MAX = 20
const OUTCOMES = [
  ...['held', 'settled', 'voided', 'partially_refunded', 'refunded'],
  ...['approved', 'budget_exceeded', 'parent_budget_exceeded', 'limit_amount_exceeded'],
]

interface Processes {
  /** Spends per transaction at most, so that the statements for one decide everything. */
  readonly batchSizeMax?: number
  readonly gateways: number
  readonly operations: number
}

/** Defines the tests of so many gateway processes on one database, at work all at once. */
export function describeProcesses(settings: Processes): void {
  const { batchSizeMax } = settings
  const sizes = batchSizeMax === undefined ? '' : `, at most ${batchSizeMax} in a batch`
  const name = `${settings.gateways} gateway processes on one database${sizes}`
  describeOnPostgres(name, () => testProcesses(settings))
}

function testProcesses({ gateways: count, operations, batchSizeMax = 256 }: Processes): void {
  let database: TestDatabase
  let site: Site
  let gateways: GatewayProcess[]
  let caller: Caller
  /** A pool of its own, so that what it reads is what others would. */
  let checker: Database

  beforeAll(async () => {
    database = await createTestDatabase('postgres')
    checker = await openPostgres({ url: database.url, connectionsMax: 2 }, silentLog)
    const opened = await openSite(
      { databaseUrl: database.url },
      { PURSER_BATCH_SIZE_MAX: String(batchSizeMax) },
    )
    site = opened.site
    const others = Array.from({ length: count - 1 }, () => site.start())
    gateways = [opened.first, ...(await Promise.all(others))]
    caller = createCaller(site.apiKey)
  })
  afterAll(async () => {
    caller?.close()
    await Promise.all((gateways ?? []).map((gateway) => gateway.stop()))
    await site?.close()
    await checker?.close()
    await database?.drop()
  })

  const gatewayAt = (index: number): GatewayProcess => {
    const gateway = gateways[index % gateways.length]
    if (!gateway) throw new Error('There is no gateway.')
    return gateway
  }
  const post = (index: number, call: Call) =>
    untilNotBusy(() => caller.send(gatewayAt(index).url, call))
  const newMandate = (terms: object) => addMandate(site, gatewayAt(0), { ...terms })
  const spend = (index: number, agentId: string, fields: Record<string, unknown>, key?: string) =>
    post(index, {
      path: '/gateway/evaluate',
      body: aSpend(agentId, fields),
      ...(key !== undefined && { key }),
    })
  const isApproved = ({ text }: CallAnswer) => text.includes('"decision":"approved"')

  test('approve exactly 3 of 10 parallel spends of 30 on a budget of 100, every time', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { agentId } = await newMandate({ budgetTotal: 100 })
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, n) => spend(n, agentId, { amount: 30 })),
      )
      expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
      expect(answers.filter(isApproved)).toHaveLength(3)
    }
    expect(await audit(checker)).toEqual([])
  })

  test('tell of 80 % and of 100 % once each when a hundred clients cross them at once', async () => {
    for (let round = 0; round < 3; round += 1) {
      const parent = await newMandate({ budgetTotal: 50 })
      const terms = { budgetTotal: 50, parentMandateId: parent.mandateId }
      const agents = [parent, await newMandate(terms), await newMandate(terms)]
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, n) =>
          spend(n, agents[n % 3]?.agentId ?? '', { amount: 1 }),
        ),
      )
      expect(answers.filter(isApproved)).toHaveLength(50)
      const events = await checker.query<{ kind: string }>({
        text: 'select kind from webhook_events where mandate_id = $1 order by kind desc',
        values: [parent.mandateId.slice(4)],
      })
      expect(events.map(({ kind }) => kind)).toEqual([
        'mandate.budget.warning',
        'mandate.budget.exhausted',
      ])
    }
  })

  /** What the clients know of the transactions so far, so that they can meet on the same ones. */
  interface Load {
    readonly random: Random
    readonly agents: readonly string[]
    readonly transactions: string[]
    readonly statuses: Map<number, number>
    /** The number of the latest operation, and of the last one to come. */
    operation: number
    last: number
    /** Checks of the books, one after another, while the operations go on. */
    checking: Promise<void>
    readonly broken: string[]
  }

  async function operate(load: Load, client: number): Promise<void> {
    while (load.operation < load.last) {
      load.operation += 1
      if (load.operation % CHECK_EVERY === 0) load.checking = load.checking.then(() => check(load))
      const isSpend = load.transactions.length < 20 || load.random.next() < 0.7
      note(load, isSpend ? await spendSomething(load, client) : await changeSomething(load, client))
    }
  }

  function note({ statuses, transactions }: Load, answer: CallAnswer): void {
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
    if (answer.status >= 500) throw new Error(answer.text)
    if (isApproved(answer)) transactions.push(JSON.parse(answer.text).transactionId)
  }

  async function check({ broken }: Load): Promise<void> {
    broken.push(...(await audit(checker)))
  }

  function spendSomething(
    { random, agents, operation }: Load,
    client: number,
  ): Promise<CallAnswer> {
    const agentId = random.next() < 0.4 ? (agents[0] ?? '') : random.pick(agents)
    const amount = random.between(1, random.pick([100, 30_000_000])) / 1e6
    const vendor = random.pick(['a.example.com', 'b.example.com', 'c.example.com'])
    const hold = random.next() < 0.5 ? { hold: { expiresIn: '1h' } } : {}
    const key = random.next() < 0.5 ? `spend ${client} ${operation}` : undefined
    return spend(random.between(0, count - 1), agentId, { amount, vendor, ...hold }, key)
  }

  function changeSomething({ random, transactions, operation }: Load, client: number) {
    const action = random.pick(['settle', 'void', 'void', 'refund', 'refund'])
    // Mostly the latest ones, where clients meet on open holds.
    const id = random.pick(transactions.slice(-60))
    const body =
      random.next() < 0.7 ? { amount: random.between(1, random.pick([50, 5_000_000])) / 1e6 } : {}
    return post(random.between(0, count - 1), {
      path: `/transactions/${id}/${action}`,
      ...(action !== 'void' && { body }),
      ...(random.next() < 0.3 && { key: `change ${client} ${operation}` }),
    })
  }

  test(`keep every sum true at every moment over mixed operations`, async () => {
    const seed = Date.now() % 1_000_000
    const load: Load = {
      random: createRandom(seed),
      agents: await anOrganizationOfAgents(),
      transactions: [],
      statuses: new Map(),
      operation: 0,
      last: 0,
      checking: Promise.resolve(),
      broken: [],
    }
    // Chance decides how many operations it takes to meet every kind of outcome.
    for (let round = 0; round < ROUNDS_MAX && (await missingOutcomes()).length > 0; round += 1) {
      load.last += operations
      await Promise.all(Array.from({ length: CLIENTS }, (_, client) => operate(load, client)))
    }
    await load.checking
    console.info(
      `seed ${seed}: ${load.operation} operations, answers ${JSON.stringify([...load.statuses])}`,
    )
    expect(load.broken, `seed ${seed}`).toEqual([])
    expect(await audit(checker)).toEqual([])
    expect(new Set(load.statuses.keys())).toEqual(new Set([200, 409]))
    expect(await missingOutcomes(), `seed ${seed}`).toEqual([])
  })

  test('never deadlock', async () => {
    // The server is sure to have counted a deadlock when the session that met it has ended.
    await Promise.all(gateways.map((gateway) => gateway.stop()))
    const [row] = await checker.query<{ deadlocks: bigint }>({
      text: 'select deadlocks from pg_stat_database where datname = current_database()',
    })
    expect(Number(row?.deadlocks)).toBe(0)
  })

  /** The hot one first; then a tree three deep and lone ones, many of them with limits. */
  async function anOrganizationOfAgents(): Promise<string[]> {
    const limits = [
      { type: 'limit', maxAmount: 20, window: 'period', groupBy: 'vendor' },
      { type: 'limit', maxCount: 40, window: '90d' },
    ]
    const hot = await newMandate({ budgetTotal: 1_500 })
    const root = await newMandate({ budgetTotal: 150 })
    const below = (parentMandateId: string, budgetTotal: number) =>
      newMandate({ budgetTotal, parentMandateId, rules: limits })
    const children = await Promise.all([1, 2, 3].map(() => below(root.mandateId, 140)))
    const leaves = await Promise.all(
      children.flatMap(({ mandateId }) => [1, 2].map(() => below(mandateId, 130))),
    )
    const lone = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        newMandate({ budgetTotal: 80, rules: n % 2 === 0 ? limits : [] }),
      ),
    )
    return [hot, root, ...children, ...leaves, ...lone].map(({ agentId }) => agentId)
  }

  /** A load that met none of these would prove nothing about them. */
  async function missingOutcomes(): Promise<string[]> {
    const rows = await checker.query<{ kind: string }>({
      text: `select distinct status as kind from transactions
             union select distinct code from transactions`,
    })
    const met = new Set(rows.map(({ kind }) => kind))
    return OUTCOMES.filter((kind) => !met.has(kind))
  }
}
