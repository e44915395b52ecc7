import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toUuid } from '../../src/core/id.ts'
import { bodyOf } from '../support/builders.ts'
import { type GatewayProcess, startGatewayProcess } from '../support/gateway-process.ts'
import { waitUntil } from '../support/wait-until.ts'
import { startLoad } from './load.ts'
import { expectPromises } from './promises.ts'
import { type FaultStage, openFaultStage, type Spender } from './stage.ts'

/*
 * A change of a table on the coordinator and of rows on a worker is committed in two phases (ADR 67).
 * The commit is held at each instant while something else fails. Afterwards both parts are stored, or
 * none.
 */

const INSTANTS = [
  { name: 'before the worker prepares', words: 'PREPARE TRANSACTION', what: 'command' },
  { name: 'after the worker has prepared', words: 'PREPARE TRANSACTION', what: 'answer' },
  { name: 'before the worker commits', words: 'COMMIT PREPARED', what: 'command' },
  { name: 'after the worker has committed', words: 'COMMIT PREPARED', what: 'answer' },
] as const

describe('a commit on the coordinator and on a worker', () => {
  let stage: FaultStage
  let spenders: readonly Spender[]
  let gateway: GatewayProcess
  const start = (): Promise<GatewayProcess> => startGatewayProcess({ DATABASE_URL: stage.url })
  beforeAll(async () => {
    stage = await openFaultStage({ hasLinks: true })
    spenders = await stage.spenders(1, 40)
    gateway = await start()
  })
  afterAll(async () => {
    await gateway?.kill()
    await stage?.stop()
  })

  for (const instant of INSTANTS) {
    test(`is whole if the gateway is killed ${instant.name}`, () =>
      cutOff(instant, async (release) => {
        await gateway.kill()
        release()
        gateway = await start()
      }))

    test(`is whole if the session on the coordinator is ended ${instant.name}`, () =>
      cutOff(instant, async (release) => {
        await stage.outside.query({
          text: `select pg_terminate_backend(pid) from pg_stat_activity
                 where datname = current_database() and state = 'active' and query = 'commit'
                   and pid <> pg_backend_pid()`,
        })
        release()
      }))

    test(`is whole if the coordinator crashes ${instant.name}`, () =>
      cutOff(instant, async (release) => {
        await stage.cluster.coordinator.crash()
        release()
        await stage.cluster.coordinator.startAgain()
      }))
  }

  /** Revokes a key, while organizations spend, and lets the fault happen at the instant of its commit. */
  async function cutOff(
    { words, what }: (typeof INSTANTS)[number],
    fail: (release: () => void) => Promise<void>,
  ): Promise<void> {
    const [spender] = spenders
    const link = stage.links.find(({ url }) => Number(new URL(url).port) === spender?.port)
    if (spender === undefined || link === undefined) throw new Error('There is no organization.')
    await settled(spender)
    const { id } = bodyOf(await spender.owner.post('/api-keys', { name: 'Revoked' }))
    const load = startLoad(spenders)
    const { arrived, release } = link.hold(words, what)
    let status: number | undefined
    try {
      const asked = revoke(spender, String(id))
      await arrived
      await fail(release)
      status = await asked
      await settled(spender)
    } finally {
      release()
      await load.end()
      stage.told.push(...load.told)
    }
    await expectWhole(spender, String(id), status)
    await expectPromises(stage, spenders)
  }

  /** The status of the answer; undefined if the gateway died before. */
  async function revoke({ owner }: Spender, id: string): Promise<number | undefined> {
    const url = `${gateway.url}/api/v1/api-keys/${id}`
    const headers = { authorization: `Bearer ${owner.apiKey}` }
    return fetch(url, { method: 'DELETE', headers }).then(
      ({ status }) => status,
      () => undefined,
    )
  }

  /** Waits until no transaction is prepared any more and the organization can spend. */
  async function settled({ owner }: Spender): Promise<void> {
    await waitUntil(async () => {
      const [row] = await stage.outside
        .query<{ open: number }>({
          text: `select sum(result::int)::int as open from run_command_on_workers(
                   'select count(*) from pg_prepared_xacts where database = current_database()')`,
        })
        .catch(() => [])
      return row?.open === 0
    })
    await waitUntil(async () => (await owner.get('/mandates')).status === 200)
  }

  async function expectWhole(
    { organizationId }: Spender,
    id: string,
    status: number | undefined,
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
    expect(changes.length).toBe(keys.length)
    if (status === 200) expect(keys).toHaveLength(1)
  }
})
