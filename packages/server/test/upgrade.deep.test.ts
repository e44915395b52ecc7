import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildCommit } from '../../../bench/commit-build.ts'
import { ROOT } from '../../../bench/harness.ts'
import { reconcile } from '../src/operator/reconcile.ts'
import { readSealingLag } from '../src/storage/lags.ts'
import { type CallAnswer, createCaller } from './support/caller.ts'
import {
  createEmptyPostgresDatabase,
  createTemporaryFolder,
  describeOnPostgres,
  type TestDatabase,
} from './support/database.ts'
import { type GatewayProcess, startGatewayProcess } from './support/gateway-process.ts'
import { waitUntil } from './support/wait-until.ts'

/** The last commit before gateways of two versions had to serve at the same time. */
const OLDER = '0307c95d'
const CALLERS = 4
/** Each phase of the upgrade lasts until the callers have got this many further answers. */
const ANSWERS_PER_PHASE = 60

/** A shallow clone, or an exported tree, does not have the commit. */
async function hasOlder(): Promise<boolean> {
  const asked = promisify(execFile)('git', ['cat-file', '-e', `${OLDER}^{commit}`], { cwd: ROOT })
  return asked.then(
    () => true,
    () => false,
  )
}

const isThere = await hasOlder()
if (!isThere) console.warn(`The upgrade test is skipped: this clone has no commit ${OLDER}.`)

describeOnPostgres('an upgrade', () => {
  let database: TestDatabase
  let folder: Awaited<ReturnType<typeof createTemporaryFolder>>
  const gateways: GatewayProcess[] = []
  beforeAll(async () => {
    database = await createEmptyPostgresDatabase()
    folder = await createTemporaryFolder()
  })
  afterAll(async () => {
    await Promise.all(gateways.map((gateway) => gateway.kill()))
    await database?.drop()
    await folder?.remove()
  })

  test.skipIf(!isThere)('under load fails no request and loses nothing', async () => {
    const older = join(folder.path, 'older')
    await buildCommit(OLDER, older, 'server')
    const dataDir = join(folder.path, 'data')
    const start = async (program?: string) => {
      const env = { PURSER_DATA_DIR: dataDir, DATABASE_URL: database.url, PURSER_CONSOLE: 'off' }
      const gateway = await startGatewayProcess({ ...env, PURSER_INIT_ORG: 'Acme' }, program)
      gateways.push(gateway)
      return gateway
    }
    const olderProgram = join(older, 'packages/server/dist/main.js')
    const first = await start(olderProgram)
    const second = await start(olderProgram)
    const caller = createCaller((await readFile(join(dataDir, 'initial-api-key'), 'utf8')).trim())
    const load = await startLoad(caller, [first, second])
    try {
      await load.goOn()
      // It migrates while both older gateways decide.
      const third = await start()
      load.add(third)
      await load.goOn()
      await load.remove(first)
      await first.stop()
      await load.goOn()
      const fourth = await start()
      load.add(fourth)
      await load.remove(second)
      await second.stop()
      await load.goOn()
    } finally {
      await load.stop()
    }
    expect(load.failures).toEqual([])
    await expectNothingLost(load, caller, gateways.at(-1) ?? first)
    caller.close()
  })

  async function expectNothingLost(
    load: Load,
    caller: Caller,
    gateway: GatewayProcess,
  ): Promise<void> {
    const { db } = database
    const [row] = await db.query<{ count: bigint; held: bigint }>({
      text: `select count(*) as count, count(*) filter (where status = 'held') as held
             from transactions where decision = 'approved'`,
    })
    expect(row).toMatchObject({ count: BigInt(load.approved.size), held: 0n })
    // A retry of each request returns the stored answer, whichever version stored it.
    for (const [key, { body, transactionId }] of load.approved) {
      const again = await caller.post(gateway.url, { path: '/gateway/evaluate', body, key })
      expect(JSON.parse(again.text)).toMatchObject({ transactionId })
    }
    await waitUntil(async () => (await readSealingLag(db)).count === 0)
    expect(await reconcile({ db }, undefined)).toMatchObject({ kind: 'agrees' })
  }
})

type Caller = ReturnType<typeof createCaller>

interface Load {
  /** The approved spends, by the key of their request. */
  readonly approved: ReadonlyMap<string, { readonly body: object; readonly transactionId: string }>
  /** The requests that did not get the answer that they should. */
  readonly failures: readonly string[]
  add(gateway: GatewayProcess): void
  /** Sends it no further request, and waits for the answers of those that it has. */
  remove(gateway: GatewayProcess): Promise<void>
  /** Resolves after further answers. */
  goOn(): Promise<void>
  stop(): Promise<void>
}

/** Sends spends with holds, and settles each, to the gateways in turn: a load balancer with callers. */
async function startLoad(caller: Caller, first: readonly GatewayProcess[]): Promise<Load> {
  const serving = new Map(first.map((gateway) => [gateway, 0]))
  const approved = new Map<string, { body: object; transactionId: string }>()
  const failures: string[] = []
  let [answers, turn, keys, isStopping] = [0, 0, 0, false]

  async function post(path: string, body: object | undefined, key?: string): Promise<CallAnswer> {
    const all = [...serving.keys()]
    const gateway = all[turn++ % all.length]
    if (!gateway) throw new Error('No gateway is left.')
    serving.set(gateway, (serving.get(gateway) ?? 0) + 1)
    try {
      return await caller.post(gateway.url, { path, body, ...(key !== undefined && { key }) })
    } finally {
      const left = serving.get(gateway)
      if (left !== undefined) serving.set(gateway, left - 1)
      else leaving.set(gateway, (leaving.get(gateway) ?? 1) - 1)
      answers += 1
    }
  }
  const leaving = new Map<GatewayProcess, number>()

  const must = async (path: string, body?: object) => JSON.parse((await post(path, body)).text)
  const { id: agentId } = await must('/agents', { name: 'Buyer' })
  const terms = { agentId, budgetTotal: 1_000_000, budgetPeriod: 'monthly' }
  const { id: mandateId } = await must('/mandates', terms)
  await must(`/mandates/${mandateId}/activate`)

  async function spendOnce(): Promise<void> {
    const key = `upgrade-${keys++}`
    const body = {
      ...{ agentId, amount: 1.25, vendor: 'a.com', category: 'llm' },
      hold: { expiresIn: '1h' },
    }
    const { status, text } = await post('/gateway/evaluate', body, key)
    const { decision, transactionId } = JSON.parse(text)
    if (status !== 200 || decision !== 'approved') throw new Error(`evaluate: ${status} ${text}`)
    approved.set(key, { body, transactionId })
    const settled = await post(`/transactions/${transactionId}/settle`, {})
    if (settled.status !== 200) throw new Error(`settle: ${settled.status} ${settled.text}`)
  }

  async function call(): Promise<void> {
    while (!isStopping) {
      await spendOnce().catch((error: unknown) => failures.push(String(error)))
    }
  }
  const calls = Array.from({ length: CALLERS }, call)

  return {
    approved,
    failures,
    add: (gateway) => void serving.set(gateway, 0),
    async remove(gateway) {
      leaving.set(gateway, serving.get(gateway) ?? 0)
      serving.delete(gateway)
      await waitUntil(() => leaving.get(gateway) === 0)
    },
    async goOn() {
      const until = answers + ANSWERS_PER_PHASE
      await waitUntil(() => answers >= until)
    },
    async stop() {
      isStopping = true
      await Promise.all(calls)
    },
  }
}
