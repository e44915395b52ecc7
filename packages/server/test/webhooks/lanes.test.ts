import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createLanes, type Lanes } from '../../src/webhooks/lanes.ts'

const LANE_MAX = 16
const LANE_START = 2
const TOTAL_MAX = 512

/** Takes what there is and gives it back, so that nothing has changed. */
function roomOf(lanes: Lanes, organization: string): number {
  const room = lanes.take(organization)
  lanes.giveBack(organization, room)
  return room
}

/** Takes one attempt, which ends well or not. */
function attempt(lanes: Lanes, organization: string, isSuccess: boolean): void {
  const room = lanes.take(organization)
  lanes.giveBack(organization, room - 1)
  lanes.ended(organization, isSuccess)
}

describe('a lane', () => {
  test('begins with room for two, all of which is taken at once', () => {
    const lanes = createLanes()
    expect([lanes.take('a'), lanes.take('a'), lanes.take('b')]).toEqual([2, 0, 2])
  })

  test('halves with every failure, down to one and no further', () => {
    const lanes = createLanes()
    for (let n = 0; n < 8; n++) attempt(lanes, 'dead', true)
    const rooms = Array.from({ length: 6 }, () => {
      attempt(lanes, 'dead', false)
      return roomOf(lanes, 'dead')
    })
    expect(rooms).toEqual([5, 2, 1, 1, 1, 1])
  })

  test('widens by one with every success while it is busy, up to sixteen', () => {
    const lanes = createLanes()
    lanes.take('busy')
    for (let ended = 1; ended <= 20; ended++) {
      lanes.ended('busy', true)
      lanes.take('busy')
    }
    for (let ended = 0; ended < LANE_MAX - 1; ended++) lanes.ended('busy', true)
    expect(lanes.take('busy')).toBe(LANE_MAX - 1)
  })

  test('comes back from one step by step once its receiver answers again', () => {
    const lanes = createLanes()
    for (let n = 0; n < 5; n++) attempt(lanes, 'mended', false)
    const rooms = Array.from({ length: 4 }, () => {
      attempt(lanes, 'mended', true)
      return roomOf(lanes, 'mended')
    })
    expect(rooms).toEqual([2, 3, 4, 5])
  })

  test('that was narrowed below what is in flight has no room until enough has ended', () => {
    const lanes = createLanes()
    for (let n = 0; n < 8; n++) attempt(lanes, 'slow', true)
    lanes.take('slow')
    const rooms = Array.from({ length: 10 }, () => {
      lanes.ended('slow', false)
      const room = lanes.take('slow')
      lanes.giveBack('slow', room)
      return room
    })
    expect(rooms).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 1])
  })

  test('of one organization is not touched by the failures of another', () => {
    const lanes = createLanes()
    for (let n = 0; n < 50; n++) attempt(lanes, 'dead', false)
    expect([roomOf(lanes, 'dead'), roomOf(lanes, 'well')]).toEqual([1, LANE_START])
  })
})

describe('lanes', () => {
  test('hold 512 in flight in all, and what ends in one is room for another', () => {
    const lanes = createLanes()
    const taken = Array.from({ length: 258 }, (_, n) => lanes.take(`${n}`))
    expect(taken.reduce((sum, room) => sum + room)).toBe(TOTAL_MAX)
    expect(taken.slice(255)).toEqual([2, 0, 0])
    lanes.ended('0', true)
    lanes.ended('1', false)
    expect([lanes.take('new'), lanes.take('newer')]).toEqual([2, 0])
  })

  type Step = { readonly kind: 'take' | 'giveBack' | 'succeed' | 'fail'; readonly who: number }
  const aStep: fc.Arbitrary<Step> = fc.record({
    kind: fc.constantFrom('take', 'giveBack', 'succeed', 'fail'),
    who: fc.nat(40),
  })

  /** Carries out a step and gives what the organization has in flight after it. */
  function follow(lanes: Lanes, { kind, who }: Step, held: number): number {
    if (kind === 'take') return held + lanes.take(`${who}`)
    if (held === 0) return 0
    if (kind === 'giveBack') lanes.giveBack(`${who}`, 1)
    else lanes.ended(`${who}`, kind === 'succeed')
    return held - 1
  }

  test('never go beyond their bounds and leak nothing, whatever happens', () => {
    fc.assert(
      fc.property(fc.array(aStep, { maxLength: 300 }), (steps) => {
        const lanes = createLanes()
        const inFlight = Array<number>(41).fill(0)
        for (const step of steps) {
          inFlight[step.who] = follow(lanes, step, inFlight[step.who] ?? 0)
          expect(Math.max(...inFlight)).toBeLessThanOrEqual(LANE_MAX)
          expect(inFlight.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(TOTAL_MAX)
        }
        for (const [who, count] of inFlight.entries()) lanes.giveBack(`${who}`, count)
        // Were a single place lost, the last of these would find less than the rest of the 512.
        const rooms = Array.from({ length: 257 }, (_, n) => lanes.take(`fresh ${n}`))
        expect(rooms).toEqual([...Array(256).fill(LANE_START), 0])
      }),
    )
  })
})
