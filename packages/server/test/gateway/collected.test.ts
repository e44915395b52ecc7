import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import type { Gateway } from '../../src/gateway/gateway.ts'
import type { Owner } from '../support/app.ts'
import { anActiveMandate } from '../support/builders.ts'
import { aSubmission, shareGateway } from '../support/path-gateway.ts'

setFlagsFromString('--expose-gc')
const WEIGHT_BYTES = 80_000
const collect: (options: { type: 'minor' | 'major' }) => void = runInNewContext('gc')

describe('the memory of decisions', () => {
  let acme: Owner
  let gateway: Gateway

  shareGateway((scene) => {
    ;({ acme, gateway } = scene)
  })

  /** Each submission has a weight, which lives as long as anything of its decision. */
  async function decide(agentId: string, count: number): Promise<void> {
    for (let at = 0; at < count; at += 1) {
      const weight = Array.from({ length: WEIGHT_BYTES / 8 }, () => 0.5)
      await gateway.decide(Object.assign(aSubmission(acme, agentId), { weight }))
    }
  }

  test('is free after a collection of young objects', async () => {
    const { agentId } = await anActiveMandate(acme)
    await decide(agentId, 20)
    // From here on the objects of the process are old, as in a gateway that has run for long.
    collect({ type: 'major' })
    const before = oldBytes()
    await decide(agentId, 100)
    collect({ type: 'minor' })
    collect({ type: 'minor' })
    expect(oldBytes() - before).toBeLessThan(20 * WEIGHT_BYTES)
  })
})

function oldBytes(): number {
  const spaces = getHeapSpaceStatistics()
  return spaces.find(({ space_name }) => space_name === 'old_space')?.space_used_size ?? Number.NaN
}
