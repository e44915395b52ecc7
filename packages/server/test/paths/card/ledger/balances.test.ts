import { describe, expect, test } from 'vitest'
import { toUnits } from '../../../../src/core/money.ts'
import { balancesOf, isBeyondTolerance } from '../../../../src/paths/card/ledger/balances.ts'
import type { Fact, ForeignFact, RequestFact } from '../../../../src/paths/card/ledger/facts.ts'
import { units } from '../../../core/desk.ts'
import { asked, givenBack, givenUp, seen, taken } from './scenarios.ts'

const closed = { status: 'closed' } as const

function uncounted(second: number, amount: number, id = `request-${second}`): RequestFact {
  return { ...asked(second, amount), id, index: null }
}

function foreign(second: number, of: ForeignFact['of'] = 'capture'): ForeignFact {
  const money = { moneyId: 'money', amount: units(20), currency: 'EUR' }
  return { kind: 'foreign', id: `foreign-${second}`, at: second * 1_000, of, ...money }
}

/** What is held, which must not depend on the order of the facts. */
function held(...facts: readonly Fact[]): number {
  const [one, other] = [facts, facts.toReversed()].map((order) => balancesOf(order).held)
  expect(one).toBe(other)
  return toUnits(one ?? 0n)
}

describe('money in another currency', () => {
  test('keeps the hold as it was before a snapshot that includes it', () => {
    const including = seen(21, 1, 10, { captures: ['money'] })
    expect(held(asked(0, 50), seen(1, 1, 50), foreign(20), including)).toBe(50)
  })

  test('keeps the hold that ends with it or after it, and no hold that ended before', () => {
    expect(held(asked(0, 50), seen(1, 1, 50), foreign(20), seen(20, 1, 0, closed))).toBe(50)
    expect(held(asked(0, 50), seen(1, 1, 50), foreign(20), seen(10, 1, 0, closed))).toBe(0)
  })

  test('does not hold up a snapshot that is open and does not include it', () => {
    expect(held(asked(0, 50), seen(1, 1, 50), foreign(20), seen(30, 1, 40))).toBe(40)
  })

  test('holds up nothing when it is a refund', () => {
    const including = seen(21, 1, 0, { ...closed, captures: ['money'] })
    expect(held(asked(0, 50), foreign(20, 'refund'), including)).toBe(0)
  })
})

describe('what is held', () => {
  test('no longer has a release that a snapshot includes, at its instant or before', () => {
    expect(held(asked(0, 50), seen(10, 1, 35), givenUp(10, 15))).toBe(35)
    expect(held(asked(0, 50), givenUp(5, 15), seen(10, 1, 35))).toBe(35)
    expect(held(asked(0, 50), seen(10, 1, 35), givenUp(11, 15))).toBe(20)
  })

  test('loses a capture once, whether or not an open snapshot includes it', () => {
    const including = seen(21, 1, 30, { captures: ['capture-20'] })
    expect(held(asked(0, 50), taken(20, 20), including)).toBe(30)
    expect(held(asked(0, 50), taken(5, 20), seen(10, 1, 50))).toBe(30)
  })

  test('loses nothing to captures of a part that has ended', () => {
    expect(held(asked(0, 50), taken(5, 20), seen(10, 1, 0, closed), asked(1, 30))).toBe(30)
    expect(held(asked(0, 50), seen(10, 1, 0, closed), asked(1, 30), taken(20, 20))).toBe(10)
  })

  test('follows the latest snapshot; of one instant the one that covers more, or that ends', () => {
    const later = seen(20, 1, 20, { id: 'a' })
    expect(held(asked(0, 50), seen(10, 1, 50, { id: 'b' }), later)).toBe(20)
    const more = seen(10, 2, 80, { id: 'a' })
    expect(held(asked(0, 50), asked(1, 30), seen(10, 1, 50, { id: 'b' }), more)).toBe(80)
    const reversed = seen(10, 1, 0, { id: 'a', status: 'reversed' })
    expect(held(asked(0, 50), seen(10, 1, 50, { id: 'b' }), reversed)).toBe(0)
    expect(held(asked(0, 50), seen(10, 1, 40, { id: 'a' }), seen(10, 1, 30, { id: 'b' }))).toBe(30)
  })
})

describe('a snapshot includes', () => {
  test('by time a request that the issuer does not number', () => {
    expect(held(asked(0, 50), uncounted(100, 30), seen(10, 1, 50))).toBe(80)
    expect(held(uncounted(10, 50), seen(10, null, 30))).toBe(30)
  })

  test('a request up to a second later, where there is room for it', () => {
    expect(held(uncounted(11, 50), seen(10, null, 50))).toBe(50)
    expect(held(uncounted(11.001, 50), seen(10, null, 50))).toBe(100)
    expect(held(uncounted(10.5, 50), uncounted(11, 30), seen(10, null, 50))).toBe(80)
  })
})

describe('approved requests', () => {
  const idsOf = (...facts: readonly RequestFact[]) =>
    [facts, facts.toReversed()].map((order) => balancesOf(order).approved.map(({ id }) => id))

  test('are in the order of their numbers, else of time, else of ids', () => {
    const late = { ...asked(0, 10), id: 'late', at: 9_000 }
    const early = { ...asked(1, 10), id: 'early', at: 1_000 }
    expect(idsOf(late, early)).toEqual([
      ['late', 'early'],
      ['late', 'early'],
    ])
    const numbered = { ...asked(3, 10), id: 'numbered', at: 1_000 }
    expect(idsOf(uncounted(5, 10, 'later'), numbered)).toEqual([
      ['numbered', 'later'],
      ['numbered', 'later'],
    ])
    expect(idsOf(uncounted(5, 10, 'b'), uncounted(5, 10, 'a'))).toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ])
  })
})

describe('what nobody approved', () => {
  test('is what was captured, or held and captured, beyond the approved requests', () => {
    const declined = asked(0, 50, false)
    expect(balancesOf([declined, asked(1, 20), taken(20, 65)]).ungoverned).toBe(units(45))
    const rest = seen(21, 2, 40, { captures: ['capture-20'] })
    expect(balancesOf([declined, asked(1, 20), taken(20, 30), rest]).ungoverned).toBe(units(50))
  })
})

describe('an authorization is', () => {
  test('raised by an open snapshot beyond the requests that it includes, and by no closed one', () => {
    expect(balancesOf([asked(0, 50), seen(1, 1, 60), asked(1, 30)]).isRaised).toBe(true)
    expect(balancesOf([asked(0, 50), seen(1, 1, 50)]).isRaised).toBe(false)
    expect(balancesOf([asked(0, 50), seen(21, 1, 80, closed)]).isRaised).toBe(false)
  })

  test.each(['reversed', 'by_hand', 'expired', 'lapsed'] as const)(
    'captured late after it was %s',
    (status) => {
      const facts = [asked(0, 50), seen(20, 1, 0, { status }), taken(21, 10)]
      expect(balancesOf(facts).isCapturedLate).toBe(true)
      expect(balancesOf(facts.slice(0, 2)).isCapturedLate).toBe(false)
    },
  )

  test('not captured late after it was closed, or where the end includes the capture', () => {
    expect(balancesOf([asked(0, 50), seen(20, 1, 0, closed), taken(21, 10)])).toMatchObject({
      isCapturedLate: false,
    })
    const including = seen(20, 1, 0, { status: 'reversed', captures: ['capture-21'] })
    expect(balancesOf([asked(0, 50), including, taken(21, 10)]).isCapturedLate).toBe(false)
  })

  test.each([
    ['reversed', 'voided', false],
    ['closed', 'voided', false],
    ['expired', 'expired', false],
    ['lapsed', 'expired', false],
    ['by_hand', 'voided', true],
  ] as const)('%s: its hold has the end %s', (status, end, isEndedByHand) => {
    expect(balancesOf([asked(0, 50), seen(20, 1, 0, { status })])).toMatchObject({
      end,
      isEndedByHand,
    })
  })
})

describe('the tolerance of a capture', () => {
  const capturedOf = (amount: number) => balancesOf([asked(0, 40), asked(1, 10), taken(20, amount)])

  test.each([
    ['a restaurant', '5812', 60],
    ['a taxi', '4121', 60],
    ['a hairdresser', '7230', 60],
    ['a hotel', '7011', 57.5],
    ['a shop for computers', '5734', 50],
    ['a merchant without a code', null, 50],
  ] as const)('%s may capture up to its tolerance beyond the approved 50', (_, mcc, most) => {
    expect(isBeyondTolerance(capturedOf(most), mcc)).toBe(false)
    expect(isBeyondTolerance(capturedOf(most + 0.000001), mcc)).toBe(true)
  })

  test('a capture that the issuer had held is within it', () => {
    const raised = balancesOf([asked(0, 50), seen(1, 1, 90), taken(20, 90)])
    expect(isBeyondTolerance(raised, '5734')).toBe(false)
  })
})

test('refunds wait for their captures, and the reversal of a refund waits for the refund', () => {
  const refunded = (...facts: readonly Fact[]) => toUnits(balancesOf(facts).refunded)
  expect(refunded(taken(20, 30), givenBack(21, 40))).toBe(30)
  expect(refunded(taken(20, 30), givenBack(22, -10))).toBe(0)
  expect(refunded(taken(20, 30), givenBack(22, -10), givenBack(21, 40))).toBe(30)
  expect(refunded(taken(20, 30), givenBack(22, -10), givenBack(21, 25))).toBe(15)
})
