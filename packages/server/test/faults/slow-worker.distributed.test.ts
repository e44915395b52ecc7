import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { waitUntil } from '../support/wait-until.ts'
import { startLoad } from './load.ts'
import { expectOthersUnharmed } from './one-worker.ts'
import { type FaultStage, openFaultStage, type Spender } from './stage.ts'
import type { WorkerLink } from './worker-link.ts'

/* One of two workers answers slowly, while organizations on both spend (ADR 65). */

/** Each organization of the slow worker sends this many spends at a time: more than the pool has room for. */
const CLIENTS_EACH = 4

describe('a worker that is slow', () => {
  let stage: FaultStage
  let spenders: readonly Spender[]
  let clients: readonly Spender[]
  let link: WorkerLink
  let port: number
  beforeAll(async () => {
    stage = await openFaultStage({ hasLinks: true })
    spenders = await stage.spenders(6, 400)
    const [first] = stage.links
    if (first === undefined) throw new Error('There is no link.')
    link = first
    port = Number(new URL(first.url).port)
    clients = spenders.flatMap((one) =>
      one.port === port ? Array.from({ length: CLIENTS_EACH }, () => one) : [one],
    )
  })
  afterAll(() => stage?.stop())

  for (const delayMs of [25, 200]) {
    test(`by ${delayMs} ms in each direction leaves organizations of the other alone`, async () => {
      const { connections } = stage.app.database.db
      // Only printed, because idle sessions keep their connections: one-worker.distributed.test.ts has
      // the bound.
      const most = { toSlow: 0, toHealthy: 0, ofGateway: 0 }
      const look = setInterval(() => {
        const [slow, healthy] = stage.links.map(({ open }) => open)
        most.toSlow = Math.max(most.toSlow, slow ?? 0)
        most.toHealthy = Math.max(most.toHealthy, healthy ?? 0)
        most.ofGateway = Math.max(most.ofGateway, connections?.().busy ?? 0)
      }, 20)
      try {
        await expectOthersUnharmed(stage, clients, port, {
          name: `worker slow by ${delayMs} ms each way`,
          begin: () => link.delay(delayMs),
          end: () => link.delay(0),
          isRefusing: false,
        })
      } finally {
        clearInterval(look)
      }
      console.info(
        `connections at most: ${most.ofGateway} of the gateway, ${most.toSlow} to the slow worker, ${most.toHealthy} to the other`,
      )
    })
  }

  test('is refused nothing because the other one hangs', async () => {
    const [worker] = stage.cluster.workers
    const [, other] = stage.links
    if (worker === undefined || other === undefined) throw new Error('There are no two workers.')
    // Both are late now, and only the first one has most of the connections.
    other.delay(150)
    const crowd = spenders.flatMap((one) =>
      one.port === port ? Array.from({ length: 2 * CLIENTS_EACH }, () => one) : [one],
    )
    const load = startLoad(crowd)
    const served = (one: Spender, fromMs: number): number =>
      load.since(fromMs).filter(({ organizationId }) => organizationId === one.organizationId)
        .length
    const others = spenders.filter((one) => one.port !== port)
    try {
      await waitUntil(() => spenders.every((one) => served(one, 0) >= 2))
      worker.pause()
      const from = performance.now()
      await waitUntil(() => others.every((one) => served(one, from) >= 4))
      worker.resume()
      const refused = load.since(0).filter((one) => one.port !== port && one.status !== 200)
      expect(refused).toEqual([])
    } finally {
      worker.resume()
      other.delay(0)
      await load.end()
    }
  })
})
