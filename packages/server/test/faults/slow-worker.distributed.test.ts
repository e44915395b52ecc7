import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectOthersUnharmed } from './one-worker.ts'
import { type FaultStage, openFaultStage, type Spender } from './stage.ts'
import type { WorkerLink } from './worker-link.ts'

/* One of two workers answers slowly, while organizations on both spend (ADR 65). */

/** Each organization of the slow worker sends this many spends at a time: more than the pool has room for. */
const CLIENTS_EACH = 4

describe('a worker that is slow', () => {
  let stage: FaultStage
  let clients: readonly Spender[]
  let link: WorkerLink
  let port: number
  beforeAll(async () => {
    stage = await openFaultStage({ hasLinks: true })
    const spenders = await stage.spenders(6, 400)
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
      // Each session on the coordinator keeps one connection to a worker, and a list opens a few more.
      expect(most.toSlow).toBeLessThanOrEqual(2 * (connections?.().max ?? 0))
    })
  }
})
