import { expect } from 'vitest'
import { waitUntil } from '../support/wait-until.ts'
import { p99, startLoad } from './load.ts'
import { expectPromises } from './promises.ts'
import type { FaultStage, Spender } from './stage.ts'

/** What happens to one worker. */
interface Fault {
  readonly name: string
  /** Resolves when the worker has the fault. */
  begin(): void | Promise<void>
  /** Resolves when the worker no longer has it. */
  end(): void | Promise<void>
  /** Whether the organizations of the worker get refusals while it lasts. */
  readonly isRefusing: boolean
}

/** Spends of each healthy organization in each phase. */
const SPENDS_EACH = 40

/**
 * Organizations on both workers spend before, during and after a fault of the first worker. Those on the
 * other one get no error. Prints how much longer they waited, and what the others were told.
 */
export async function expectOthersUnharmed(
  stage: FaultStage,
  spenders: readonly Spender[],
  port: number,
  { name, begin, end, isRefusing }: Fault,
): Promise<void> {
  const load = startLoad(spenders)
  const healthy = spenders.filter((one) => one.port !== port)
  /** Waits until every healthy organization has spent often enough. Returns the answers since then. */
  const aPhase = async () => {
    const from = performance.now()
    const served = ({ organizationId }: Spender): number =>
      load.since(from).filter((one) => one.organizationId === organizationId).length
    await waitUntil(() => {
      load.check()
      return healthy.every((one) => served(one) >= SPENDS_EACH)
    })
    return load.since(from)
  }
  try {
    await aPhase()
    const control = await aPhase()
    await begin()
    const during = await aPhase()
    if (isRefusing) {
      await waitUntil(() => load.since(0).some((one) => one.port === port && one.status === 503))
    }
    const later = await aPhase()
    await end()
    // Every organization is served again.
    const ended = performance.now()
    await waitUntil(() =>
      spenders.every(({ organizationId }) =>
        load
          .since(ended)
          .some((one) => one.organizationId === organizationId && one.status === 200),
      ),
    )
    const ofOthers = (answers: typeof control) => answers.filter((one) => one.port !== port)
    const failed = ofOthers(load.since(0)).filter(({ status }) => status !== 200)
    tell(name, ofOthers(control), { during: ofOthers(during), later: ofOthers(later) })
    expect(failed).toEqual([])
  } finally {
    await load.end()
  }
  stage.told.push(...load.told)
  await expectPromises(stage, spenders)
}

type Times = readonly { readonly ms: number }[]

/** Prints times as ratios to the control: times themselves say more about the machine. */
function tell(name: string, control: Times, phases: Readonly<Record<string, Times>>): void {
  const usual = p99(control)
  const words = Object.entries(phases).map(
    ([phase, times]) =>
      `${phase} ${p99(times).toFixed(0)} ms = ${(p99(times) / usual).toFixed(1)} × (worst ${Math.max(...times.map(({ ms }) => ms)).toFixed(0)} ms, ${times.length} spends)`,
  )
  console.info(`${name}: p99 of others before ${usual.toFixed(0)} ms, ${words.join(', ')}`)
}
