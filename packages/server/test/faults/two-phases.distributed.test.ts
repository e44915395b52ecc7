import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toUuid } from '../../src/core/id.ts'
import type { Answer } from '../support/app.ts'
import { bodyOf } from '../support/builders.ts'
import { type GatewayProcess, startGatewayProcess } from '../support/gateway-process.ts'
import { aSpend } from '../support/spends.ts'
import { waitUntil } from '../support/wait-until.ts'
import { startLoad } from './load.ts'
import { expectPromises } from './promises.ts'
import { type FaultStage, openFaultStage, type Spender } from './stage.ts'

/*
 * A change of a table on the coordinator and of rows on a worker is committed in two phases (ADR 67),
 * and so is a decision. The commit is held at each instant while something else fails. Afterwards both
 * parts are stored, or none.
 */

interface Instant {
  readonly name: string
  readonly words: string
  readonly what: 'command' | 'answer'
  /** Whether the coordinator has committed: then the worker must commit too, and otherwise must not. */
  readonly isDecided: boolean
}

const PREPARE = { words: 'PREPARE TRANSACTION', isDecided: false } as const
const COMMIT = { words: 'COMMIT PREPARED', isDecided: true } as const
const INSTANTS: readonly Instant[] = [
  { ...PREPARE, name: 'before the worker prepares', what: 'command' },
  { ...PREPARE, name: 'after the worker has prepared', what: 'answer' },
  { ...COMMIT, name: 'before the worker commits', what: 'command' },
  { ...COMMIT, name: 'after the worker has committed', what: 'answer' },
]

describe('a commit on the coordinator and on a worker', () => {
  let stage: FaultStage
  let spenders: readonly Spender[]
  let gateway: GatewayProcess
  const start = (): Promise<GatewayProcess> => startGatewayProcess({ DATABASE_URL: stage.url })
  beforeAll(async () => {
    stage = await openFaultStage({ hasLinks: true })
    spenders = await stage.spenders(1, 400)
    gateway = await start()
  })
  afterAll(async () => {
    await gateway?.kill()
    await stage?.stop()
  })

  for (const instant of INSTANTS) {
    // The session on the coordinator does not notice, and ends the commit.
    test(`is whole if the gateway is killed ${instant.name}`, () =>
      cutOff({ ...instant, isDecided: true }, async (release) => {
        await gateway.kill()
        release()
        gateway = await start()
      }))

    test(`is whole if the session on the coordinator is ended ${instant.name}`, () =>
      cutOff(instant, async (release) => {
        const ended = await endCommits()
        // A session that has decided first waits for the worker.
        if (!instant.isDecided) await waitUntil(async () => (await countSessions(ended)) === 0)
        release()
      }))

    test(`is whole if the coordinator crashes ${instant.name}`, () =>
      cutOff(instant, async (release) => {
        await stage.cluster.coordinator.crash()
        release()
        await stage.cluster.coordinator.startAgain()
      }))

    test(`decides once if the gateway is killed ${instant.name} and a second one gets the key`, () =>
      repeatElsewhere(instant))
  }

  /** Revokes a key, while organizations spend, and lets the fault happen at the instant of its commit. */
  async function cutOff(
    instant: Instant,
    fail: (release: () => void) => Promise<void>,
  ): Promise<void> {
    const { spender, link } = first()
    await settled(spender)
    const id = String(bodyOf(await spender.owner.post('/api-keys', { name: 'Revoked' })).id)
    const load = startLoad(spenders)
    // Decisions commit in two phases too. Only the change record has the public id of the key.
    const { arrived, release } = link.hold({ ...instant, mark: id })
    let status: number | undefined
    try {
      const answer = send('DELETE', `/api-keys/${id}`, spender)
      // If a different commit was held, the revocation would be answered.
      expect(await Promise.race([arrived.then(() => 'held'), answer])).toBe('held')
      await fail(release)
      status = await answer
      await settled(spender)
    } finally {
      release()
      await load.end()
      stage.told.push(...load.told)
    }
    await expectWhole(spender, id, instant.isDecided)
    if (status === 200) expect(instant.isDecided).toBe(true)
    await expectPromises(stage, spenders)
  }

  /** Sends a spend to the gateway that is killed, and repeats it at the other one meanwhile. */
  async function repeatElsewhere(instant: Instant): Promise<void> {
    const { spender, link } = first()
    await settled(spender)
    const key = randomUUID()
    const spend = { ...aSpend(spender.agentId), amount: 0.1 }
    const headers = { 'idempotency-key': key }
    const { arrived, release } = link.hold({ ...instant, mark: key })
    try {
      const lost = send('POST', '/gateway/evaluate', spender, { headers, body: spend })
      expect(await Promise.race([arrived.then(() => 'held'), lost])).toBe('held')
      await gateway.kill()
      expect(await lost).toBeUndefined()
      let isRepeated = false
      const repeat = untilDecided(() =>
        spender.owner.post('/gateway/evaluate', spend, headers),
      ).finally(() => {
        isRepeated = true
      })
      // The repetition waits for the rows of the first one, unless the worker has committed them.
      await waitUntil(async () => isRepeated || (await countOnWorkers(WAITING)) > 0)
      release()
      const { organizationId } = spender
      const { transactionId, decision } = bodyOf(await repeat)
      expect(decision).toBe('approved')
      stage.told.push({ organizationId, key, transactionId, decision: String(decision) })
    } finally {
      release()
      gateway = await start()
    }
    await settled(spender)
    await expectPromises(stage, spenders)
  }

  /** An organization, and the link to its worker. */
  function first() {
    const [spender] = spenders
    const link = stage.links.find(({ url }) => Number(new URL(url).port) === spender?.port)
    if (spender === undefined || link === undefined) throw new Error('There is no organization.')
    return { spender, link }
  }

  /** The status of the answer of the separate gateway; undefined if it died before. */
  function send(
    method: string,
    path: string,
    { owner }: Spender,
    { headers = {}, body }: { headers?: Record<string, string>; body?: object } = {},
  ): Promise<number | undefined> {
    const authorization = `Bearer ${owner.apiKey}`
    const sent = body && { body: JSON.stringify(body) }
    const type = body && { 'content-type': 'application/json' }
    return fetch(`${gateway.url}/api/v1${path}`, {
      ...{ method, ...sent, headers: { ...headers, ...type, authorization } },
    }).then(
      ({ status }) => status,
      () => undefined,
    )
  }

  /** Ends the sessions on the coordinator that are in a commit. Returns their process ids. */
  async function endCommits(): Promise<readonly number[]> {
    const rows = await stage.outside.query<{ pid: number }>({
      text: `select pid, pg_terminate_backend(pid) from pg_stat_activity
             where datname = current_database() and state = 'active' and query = 'commit'
               and pid <> pg_backend_pid()`,
    })
    return rows.map(({ pid }) => pid)
  }

  async function countSessions(pids: readonly number[]): Promise<number> {
    const rows = await stage.outside.query({
      text: 'select 1 from pg_stat_activity where pid = any($1::int[])',
      values: [pids],
    })
    return rows.length
  }

  async function countOnWorkers(query: string): Promise<number> {
    const [row] = await stage.outside.query<{ count: number }>({
      text: 'select sum(result::int)::int as count from run_command_on_workers($1)',
      values: [query],
    })
    return row?.count ?? Number.NaN
  }

  /** Waits until no transaction is prepared any more and the organization can spend. */
  async function settled({ owner }: Spender): Promise<void> {
    await waitUntil(async () => (await countOnWorkers(PREPARED).catch(() => undefined)) === 0)
    await waitUntil(async () => (await owner.get('/mandates')).status === 200)
  }

  async function expectWhole(
    { organizationId }: Spender,
    id: string,
    isStored: boolean,
  ): Promise<void> {
    const keys = await stage.outside.query({
      text: 'select 1 from api_keys where organization_id = $1 and id = $2 and revoked_at is not null',
      values: [organizationId, toUuid('key', id)],
    })
    const changes = await stage.outside.query({
      text: `select 1 from changes where organization_id = $1 and operation = 'api_key.revoked'
             and subject_id = $2`,
      values: [organizationId, id],
    })
    const stored = isStored ? 1 : 0
    expect([keys.length, changes.length]).toEqual([stored, stored])
  }
})

/** Retries while the answer is a refusal. */
async function untilDecided(post: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await post()
    if (answer.status === 200) return answer
    await new Promise((resolve) => setTimeout(resolve, REST_MS))
  }
}

const REST_MS = 100
const PREPARED = 'select count(*) from pg_prepared_xacts where database = current_database()'
const WAITING = `
  select count(*) from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`
