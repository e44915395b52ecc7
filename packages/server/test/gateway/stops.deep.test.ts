import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../src/storage/new-id.ts'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { audit } from '../support/audit.ts'
import { anActiveMandate, bodyOf } from '../support/builders.ts'
import { type Caller, createCaller } from '../support/caller.ts'
import { startChild } from '../support/child-process.ts'
import { createTestDatabase, describeOnPostgres, type TestDatabase } from '../support/database.ts'
import { addMandate, openSite, type Site } from '../support/gateway-cluster.ts'
import type { GatewayProcess } from '../support/gateway-process.ts'
import { createRandom } from '../support/random.ts'
import { waitUntil } from '../support/wait-until.ts'

/** The state of a process, as the kernel tells it: T is stopped. */
function isStopped(pid: number): boolean {
  return / T /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
}

describeOnPostgres('a process that stands still between its reads and its commit', () => {
  let app: TestApp
  let acme: Owner
  beforeAll(async () => {
    app = await createTestApp('postgres')
    acme = await app.organization()
  })
  afterAll(async () => {
    const broken = await audit(app.database.db)
    await app.stop()
    expect(broken).toEqual([])
  })

  const STOPS = [
    [
      'the organization is frozen',
      (_: string, isOn: boolean) => acme.patch('/organization', { frozen: isOn }),
    ],
    [
      'the agent is paused',
      (agentId: string, isOn: boolean) =>
        acme.patch(`/agents/${agentId}`, { status: isOn ? 'paused' : 'active' }),
    ],
  ] as const

  test.each(STOPS)(
    'does not hold up the stop, and approves nothing after it: %s',
    async (_name, turn) => {
      for (let rounds = 0; rounds < 3; rounds += 1) {
        const { agentId, id } = await anActiveMandate(acme)
        const transactionId = newId(Date.now())
        const parameters = [app.database.url, acme.organizationId, agentId, transactionId]
        const child = startChild(new URL('held-gateway.ts', import.meta.url), parameters)
        const told = child.waitForLine(() => true)
        await waitUntil(() => isStopped(child.pid))
        bodyOf(await turn(agentId, true))
        // It stands still as long as the stop takes, and longer.
        expect(isStopped(child.pid)).toBe(true)
        process.kill(child.pid, 'SIGCONT')
        expect(await told).toBe('rejected')
        await child.waitForExit()
        bodyOf(await turn(agentId, false))
        const { budgetSpent } = bodyOf(await acme.get(`/mandates/${id}`))
        expect(budgetSpent).toBe(0)
      }
    },
  )
})

/** How long spends go on while somebody stops and starts them. */
const TURNS = 40

describeOnPostgres(
  'among many spends at two processes, one of which stands still again and again',
  () => {
    let database: TestDatabase
    let site: Site
    let gateways: GatewayProcess[] = []
    beforeAll(async () => {
      database = await createTestDatabase('postgres')
      const opened = await openSite({ databaseUrl: database.url })
      site = opened.site
      gateways = [opened.first, await site.start()]
    })
    afterAll(async () => {
      await Promise.all(gateways.map((gateway) => gateway.stop()))
      await site?.close()
      await database?.drop()
    })

    test('no approval has a number between those of a stop and of its end', async () => {
      const [steady, stalling] = gateways as [GatewayProcess, GatewayProcess]
      const terms = { budgetTotal: 1_000_000 }
      const agents = [await addMandate(site, steady, terms), await addMandate(site, steady, terms)]
      const caller = createCaller(site.apiKey)
      const load = startLoad(caller, gateways, agents)
      const patch = async (path: string, body: object): Promise<void> => {
        const { status, text } = await caller.send(steady.url, { method: 'PATCH', path, body })
        expect(status, text).toBe(200)
      }
      const random = createRandom(23)
      try {
        for (let turn = 0; turn < TURNS; turn += 1) {
          const { path, on, off } = random.pick(stopsOf(agents))
          stalling.pause()
          await patch(path, on)
          stalling.resume()
          await load.waitForAnswers(10)
          await patch(path, off)
          await load.waitForAnswers(20)
        }
      } finally {
        stalling.resume()
        await load.end()
        caller.close()
      }
      expect(await database.db.query({ text: STOPS_AND_ENDS })).toEqual([{ stops: BigInt(TURNS) }])
      expect(await database.db.query({ text: APPROVED_WHILE_STOPPED })).toEqual([])
      expect(await audit(database.db)).toEqual([])
    })
  },
)

interface SpendingAgent {
  readonly agentId: string
}

function stopsOf(agents: readonly SpendingAgent[]) {
  const frozen = { path: '/organization', on: { frozen: true }, off: { frozen: false } }
  const paused = agents.map(({ agentId }) => ({
    path: `/agents/${agentId}`,
    on: { status: 'paused' },
    off: { status: 'active' },
  }))
  return [frozen, ...paused]
}

/** Each agent spends at each gateway, twice at a time and one spend after the other. */
function startLoad(
  caller: Caller,
  gateways: readonly GatewayProcess[],
  agents: readonly SpendingAgent[],
) {
  let isOver = false
  let answers = 0
  const stream = async ({ url }: GatewayProcess, agentId: string): Promise<void> => {
    while (!isOver) {
      const body = { agentId, amount: 0.01, vendor: 'api.example.com', category: 'llm' }
      await caller.post(url, { path: '/gateway/evaluate', body })
      answers += 1
    }
  }
  const streams = gateways.flatMap((gateway) =>
    agents.flatMap(({ agentId }) => [stream(gateway, agentId), stream(gateway, agentId)]),
  )
  return {
    waitForAnswers(count: number): Promise<void> {
      const before = answers
      return waitUntil(() => answers > before + count)
    },
    async end(): Promise<void> {
      isOver = true
      await Promise.all(streams)
    },
  }
}

/** Stops and their ends take turns, and both have numbers of the feed, which are those of the commits. */
const CHANGES = `
  select subject_type, subject_id, number, lead(number) over (order by number) as end_number,
         row_number() over (order by number) as place
  from changes where operation in ('organization.updated', 'agent.updated')`

const STOPS_AND_ENDS = `select count(*) as stops from (${CHANGES}) c where place % 2 = 1 and end_number is not null`

const APPROVED_WHILE_STOPPED = `
  select c.subject_id, c.number as stopped, e.number as approved from (${CHANGES}) c
  join webhook_events e on e.kind = 'transaction.approved'
    and e.number > c.number and e.number < c.end_number
    and (c.subject_type = 'organization' or e.agent_id::text = c.subject_id)
  where c.place % 2 = 1`
