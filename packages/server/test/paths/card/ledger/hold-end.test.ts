import { expect, test } from 'vitest'
import { balancesOf } from '../../../../src/paths/card/ledger/balances.ts'
import type { Fact } from '../../../../src/paths/card/ledger/facts.ts'
import { holdEndOf, lapsedAt } from '../../../../src/paths/card/ledger/hold-end.ts'
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
