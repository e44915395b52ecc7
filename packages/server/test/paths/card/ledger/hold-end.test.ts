import { expect, test } from 'vitest'
import { balancesOf } from '../../../../src/paths/card/ledger/balances.ts'
import type { Fact } from '../../../../src/paths/card/ledger/facts.ts'
import {
  afterAllKnown,
  endableFrom,
  endedByHand,
  holdEndOf,
  lapsedAt,
} from '../../../../src/paths/card/ledger/hold-end.ts'
import { DAY_MS } from '../../../support/builders.ts'

const ASKED_AT = Date.UTC(2026, 10, 1)

function requested(at: number): Fact {
  const amount = 30_000_000n
  return { kind: 'request', id: 'r', at, index: null, amount, isApproved: true, transactionId: 't' }
}

function confirmed(at: number): Fact {
  const said = { isApproved: true, status: 'pending', amount: 30_000_000n } as const
  return { kind: 'snapshot', id: `s${at}`, at, ...said, covers: null, captures: [] }
}

const endOf = (facts: readonly Fact[]) =>
  holdEndOf(balancesOf(facts).held, facts, { since: ASKED_AT, mcc: null })

test('the time of a hold counts from the last word of its issuer', () => {
  const facts = [requested(ASKED_AT), confirmed(ASKED_AT), confirmed(ASKED_AT + 8 * DAY_MS)]
  expect(endOf(facts)).toBe(ASKED_AT + 15 * DAY_MS)
})

test.each([
  ['was confirmed late', [requested(ASKED_AT), confirmed(ASKED_AT + 8 * DAY_MS)]],
  ['was asked for by a clock that is ahead', [requested(ASKED_AT + 2 * DAY_MS)]],
])('nothing stays held of what %s once its time is over', (_what, facts) => {
  const end = endOf(facts)
  expect(end).toBeDefined()
  expect(balancesOf([...facts, lapsedAt(end ?? 0)]).held).toBe(0n)
})

test('nothing that is not held has an end', () => {
  expect(holdEndOf(0n, [requested(ASKED_AT)], { since: ASKED_AT, mcc: null })).toBeUndefined()
})

test('an unconfirmed hold ends after a day, a confirmed one after a week, one for travel after a month', () => {
  const end = (mcc: string | null, ...facts: readonly Fact[]) =>
    holdEndOf(1n, facts, { since: ASKED_AT, mcc })
  expect(end(null, requested(ASKED_AT))).toBe(ASKED_AT + DAY_MS)
  expect(end(null, requested(ASKED_AT), confirmed(ASKED_AT))).toBe(ASKED_AT + 7 * DAY_MS)
  expect(end('7011', requested(ASKED_AT), confirmed(ASKED_AT))).toBe(ASKED_AT + 31 * DAY_MS)
})

test('only the issuer makes a hold last longer: what it asked and confirmed', () => {
  const later = ASKED_AT + DAY_MS / 2
  const ours = { ...lapsedAt(later), status: 'by_hand' } as const
  const capture = { kind: 'capture', id: 'c', at: later, amount: 1n } as const
  for (const fact of [lapsedAt(later), ours, capture]) {
    const facts = [requested(ASKED_AT), fact]
    expect(holdEndOf(1n, facts, { since: ASKED_AT, mcc: null })).toBe(ASKED_AT + DAY_MS)
  }
})

test('a person can end a hold a day after the issuer was last heard, by times that have come', () => {
  const now = ASKED_AT + 3 * DAY_MS
  const facts = [requested(ASKED_AT), confirmed(ASKED_AT + DAY_MS)]
  expect(endableFrom(facts, ASKED_AT, now)).toBe(ASKED_AT + 2 * DAY_MS)
  expect(endableFrom([...facts, confirmed(now)], ASKED_AT, now)).toBe(now + DAY_MS)
  expect(endableFrom([...facts, confirmed(now + 1)], ASKED_AT, now)).toBe(ASKED_AT + 2 * DAY_MS)
  expect(endableFrom(facts, now, now)).toBe(now + DAY_MS)
})

test('an end comes after all that is known, and nothing else is moved', () => {
  const known = [requested(ASKED_AT), confirmed(ASKED_AT + 5)]
  const end = lapsedAt(ASKED_AT + 1)
  expect(afterAllKnown(end, known)).toEqual({ ...end, at: ASKED_AT + 6 })
  expect(afterAllKnown({ ...end, at: ASKED_AT + 9 }, known).at).toBe(ASKED_AT + 9)
  const declined = { ...end, isApproved: false }
  const capture = { kind: 'capture', id: 'c', at: ASKED_AT, amount: 1n } as const
  for (const fact of [confirmed(ASKED_AT), declined, capture]) {
    expect(afterAllKnown(fact, known)).toBe(fact)
  }
})

test("a person's word ends all that is known", () => {
  const facts = [requested(ASKED_AT + 7), confirmed(ASKED_AT + 5)]
  const word = endedByHand(facts)
  expect(word).toMatchObject({
    at: ASKED_AT + 8,
    status: 'by_hand',
    isApproved: true,
    amount: null,
  })
  expect(balancesOf([...facts, word])).toMatchObject({ held: 0n, isEndedByHand: true })
})
