import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bodyOf } from '../support/builders.ts'
import type { PostgresServer } from '../support/postgres-server.ts'
import { LEASE_MS } from '../support/webhook-queue.ts'
import { expectOthersUnharmed } from './one-worker.ts'
import { type FaultStage, openFaultStage, type Spender } from './stage.ts'

/* One of two workers fails in several ways, while organizations on both spend (ADR 65). */

describe('a worker that fails', () => {
  let stage: FaultStage
  let spenders: readonly Spender[]
  let worker: PostgresServer
  let port: number
  beforeAll(async () => {
    stage = await openFaultStage()
    // Six on each worker: more than the lanes for slow organizations.
    spenders = await stage.spenders(6, 40)
    const [first] = stage.cluster.workers
    if (first === undefined) throw new Error('There is no worker.')
    worker = first
    port = Number(new URL(worker.url).port)
  })
  afterAll(() => stage?.stop())

  test('by being stopped for longer than a lease leaves organizations of the other alone', async () => {
    let leasesEnd: Promise<void> | undefined
    await expectOthersUnharmed(stage, spenders, port, {
      name: 'stopped worker',
      begin() {
        worker.pause()
        leasesEnd = new Promise((resolve) => setTimeout(resolve, LEASE_MS + 1_000))
      },
      async end() {
        await leasesEnd
        worker.resume()
      },
      isRefusing: true,
    })
  })

  test('by a crash leaves organizations of the other alone', async () => {
    await expectOthersUnharmed(stage, spenders, port, {
      name: 'crashed worker',
      begin: worker.crash,
      end: worker.startAgain,
      isRefusing: true,
    })
  })

  test('uses a bounded number of connections of the gateway', async () => {
    const harmed = spenders.filter((one) => one.port === port)
    // The process remembers their keys then, so the requests are not held up by a look-up.
    for (const { owner } of harmed) await owner.get('/mandates')
    worker.pause()
    const asked = harmed.flatMap(({ owner }) =>
      Array.from({ length: 10 }, () => owner.get('/mandates')),
    )
    const healthy = spenders.filter((one) => one.port !== port)
    for (const { owner } of healthy)
      expect(bodyOf(await owner.get('/mandates')).data).toHaveLength(1)
    for (const answer of await Promise.all(asked)) expect(answer.status).toBe(503)
    // The sessions of the connections that were cut still wait for the worker, so all are counted.
    const [row] = await stage.outside.query<{ left: number }>({
      text: `select count(*)::int as left from pg_stat_activity
             where datname = current_database() and state = 'active' and pid <> pg_backend_pid()
               and query like '%organization_id = $1%'`,
    })
    expect(row?.left).toBeGreaterThan(0)
    expect(row?.left).toBeLessThanOrEqual(SHARED_OF_NODE + SLOW)
    worker.resume()
  })
})

/** The organizations of one node use at most three quarters of the 8 connections for requests. */
const SHARED_OF_NODE = 6
/** The connections for slow organizations. */
const SLOW = 6
