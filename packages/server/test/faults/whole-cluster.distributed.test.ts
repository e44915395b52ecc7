import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openPostgres } from '../../src/storage/engine/postgres.ts'
import { silentLog } from '../support/silent-log.ts'
import { budgetOf } from '../support/spends.ts'
import { waitUntil } from '../support/wait-until.ts'
import { type Load, p99, startLoad } from './load.ts'
import { expectPromises } from './promises.ts'
import { type FaultStage, openFaultStage, portOf, type Spender } from './stage.ts'

/* Faults that are not of one worker: the coordinator, prepared transactions, a shard that moves. */

/** Enough for 20 spends of the load. */
const BUDGET = 2
const LOGICAL = ['wal_level=logical', 'max_wal_senders=10', 'max_replication_slots=10']

describe('a cluster under load', () => {
  let stage: FaultStage
  let spenders: readonly Spender[]
  beforeAll(async () => {
    stage = await openFaultStage({ settings: LOGICAL })
    spenders = await stage.spenders(2, 40)
  })
  afterAll(() => stage?.stop())

  /** Waits until each organization got this many decisions after an instant. */
  const served = (load: Load, fromMs: number, times: number): Promise<void> =>
    waitUntil(() => {
      load.check()
      const good = load.since(fromMs).filter(({ status }) => status === 200)
      return spenders.every(
        ({ organizationId }) =>
          good.filter((one) => one.organizationId === organizationId).length >= times,
      )
    })

  async function underLoad(run: (load: Load) => Promise<void>): Promise<void> {
    const load = startLoad(spenders)
    try {
      await served(load, 0, 10)
      await run(load)
      await served(load, performance.now(), 10)
    } finally {
      await load.end()
    }
    stage.told.push(...load.told)
    await expectPromises(stage, spenders)
  }

  test('survives a crash of its coordinator', async () => {
    await underLoad(async () => {
      await stage.cluster.coordinator.crash()
      await stage.cluster.coordinator.startAgain()
    })
  })

  test('spends exactly a budget that ends around a crash of its coordinator', async () => {
    const short = await stage.spenders(1, BUDGET)
    // Several spends of each organization meet the end of its budget.
    const load = startLoad(short.flatMap((one) => [one, one, one]))
    const decided = (decision: string): boolean =>
      short.every(({ organizationId }) =>
        load.told.some((one) => one.organizationId === organizationId && one.decision === decision),
      )
    try {
      await waitUntil(() => {
        load.check()
        return decided('approved')
      })
      await stage.cluster.coordinator.crash()
      await stage.cluster.coordinator.startAgain()
      await waitUntil(() => {
        load.check()
        return decided('rejected')
      })
    } finally {
      await load.end()
    }
    stage.told.push(...load.told)
    await expectPromises(stage, short)
    for (const { owner, mandateId } of short) {
      expect(await budgetOf(owner, mandateId)).toEqual([BUDGET, 0, 0])
    }
  })

  test('moves a shard while its organizations spend', async () => {
    const [moved] = spenders
    if (moved === undefined) throw new Error('There is no organization.')
    const from = moved.port
    // A move takes longer than the usual limit of a statement.
    const alone = await openPostgres({ url: stage.url, connectionsMax: 1 }, silentLog)
    onTestFinished(() => alone.close())
    const to = spenders.find(({ port }) => port !== from)?.port ?? 0
    await underLoad(async (load) => {
      const begun = performance.now()
      await alone.query({ text: 'set statement_timeout = 0' })
      await alone.query({
        text: `select citus_move_shard_placement(
          get_shard_id_for_distribution_column('organizations', $1::uuid),
          '127.0.0.1', $2::int, '127.0.0.1', $3::int, 'auto')`,
        values: [moved.organizationId, from, to],
        timeoutMs: 600_000,
      })
      const during = load.since(begun)
      const pause = Math.max(...during.map(({ ms }) => ms))
      const took = performance.now() - begun
      const usual = p99(load.since(0).filter(({ atMs }) => atMs < begun))
      console.info(
        `moved shard: ${took.toFixed(0)} ms, longest of ${during.length} spends ${pause.toFixed(0)} ms (p99 before ${usual.toFixed(0)} ms)`,
      )
      expect(during.filter(({ status }) => status !== 200)).toEqual([])
    })
    expect(await portOf(stage.outside, moved.organizationId)).toBe(to)
  })
})
