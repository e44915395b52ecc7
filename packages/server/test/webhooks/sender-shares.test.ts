import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createSenderShares, type SenderShares } from '../../src/webhooks/sender-shares.ts'

const SHARE_MAX = 16
const SHARE_START = 2
const TOTAL_MAX = 512

/** Takes what there is and gives it back, so that nothing has changed. */
function roomOf(shares: SenderShares, organization: string): number {
  const room = shares.take(organization)
  shares.giveBack(organization, room)
  return room
}

/** Takes one attempt, which ends well or not. */
function attempt(shares: SenderShares, organization: string, isSuccess: boolean): void {
  const room = shares.take(organization)
  shares.giveBack(organization, room - 1)
  shares.ended(organization, isSuccess)
}

describe('a share', () => {
  test('begins with room for two, all of which is taken at once', () => {
    const shares = createSenderShares()
    expect([shares.take('a'), shares.take('a'), shares.take('b')]).toEqual([2, 0, 2])
  })

  test('halves with every failure, down to one and no further', () => {
    const shares = createSenderShares()
    for (let n = 0; n < 8; n++) attempt(shares, 'dead', true)
    const rooms = Array.from({ length: 6 }, () => {
      attempt(shares, 'dead', false)
      return roomOf(shares, 'dead')
    })
    expect(rooms).toEqual([5, 2, 1, 1, 1, 1])
  })

  test('widens by one with every success while it is busy, up to sixteen', () => {
    const shares = createSenderShares()
    shares.take('busy')
    for (let ended = 1; ended <= 20; ended++) {
      shares.ended('busy', true)
      shares.take('busy')
    }
    for (let ended = 0; ended < SHARE_MAX - 1; ended++) shares.ended('busy', true)
    expect(shares.take('busy')).toBe(SHARE_MAX - 1)
  })

  test('comes back from one step by step once its receiver answers again', () => {
    const shares = createSenderShares()
    for (let n = 0; n < 5; n++) attempt(shares, 'mended', false)
    const rooms = Array.from({ length: 4 }, () => {
      attempt(shares, 'mended', true)
      return roomOf(shares, 'mended')
    })
    expect(rooms).toEqual([2, 3, 4, 5])
  })

  test('that was narrowed below what is in flight has no room until enough has ended', () => {
    const shares = createSenderShares()
    for (let n = 0; n < 8; n++) attempt(shares, 'slow', true)
    shares.take('slow')
    const rooms = Array.from({ length: 10 }, () => {
      shares.ended('slow', false)
      const room = shares.take('slow')
      shares.giveBack('slow', room)
      return room
    })
    expect(rooms).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 1])
  })

  test('of one organization is not touched by the failures of another', () => {
    const shares = createSenderShares()
    for (let n = 0; n < 50; n++) attempt(shares, 'dead', false)
    expect([roomOf(shares, 'dead'), roomOf(shares, 'well')]).toEqual([1, SHARE_START])
  })
})

describe('shares', () => {
  test('hold 512 in flight in all, and what ends in one is room for another', () => {
    const shares = createSenderShares()
    const taken = Array.from({ length: 258 }, (_, n) => shares.take(`${n}`))
    expect(taken.reduce((sum, room) => sum + room)).toBe(TOTAL_MAX)
    expect(taken.slice(255)).toEqual([2, 0, 0])
    shares.ended('0', true)
    shares.ended('1', false)
    expect([shares.take('new'), shares.take('newer')]).toEqual([2, 0])
  })

  type Step = { readonly kind: 'take' | 'giveBack' | 'succeed' | 'fail'; readonly who: number }
  const aStep: fc.Arbitrary<Step> = fc.record({
    kind: fc.constantFrom('take', 'giveBack', 'succeed', 'fail'),
    who: fc.nat(40),
  })

  /** Carries out a step and gives what the organization has in flight after it. */
  function follow(shares: SenderShares, { kind, who }: Step, held: number): number {
    if (kind === 'take') return held + shares.take(`${who}`)
    if (held === 0) return 0
    if (kind === 'giveBack') shares.giveBack(`${who}`, 1)
    else shares.ended(`${who}`, kind === 'succeed')
    return held - 1
  }

  test('never go beyond their bounds and leak nothing, whatever happens', () => {
    fc.assert(
      fc.property(fc.array(aStep, { maxLength: 300 }), (steps) => {
        const shares = createSenderShares()
        const inFlight = Array<number>(41).fill(0)
        for (const step of steps) {
          inFlight[step.who] = follow(shares, step, inFlight[step.who] ?? 0)
          expect(Math.max(...inFlight)).toBeLessThanOrEqual(SHARE_MAX)
          expect(inFlight.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(TOTAL_MAX)
        }
        for (const [who, count] of inFlight.entries()) shares.giveBack(`${who}`, count)
        // Were a single place lost, the last of these would find less than the rest of the 512.
        const rooms = Array.from({ length: 257 }, (_, n) => shares.take(`fresh ${n}`))
        expect(rooms).toEqual([...Array(256).fill(SHARE_START), 0])
      }),
    )
  })
})
