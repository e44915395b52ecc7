import { describe, expect, test } from 'vitest'
import {
  endOfLine,
  isExhausted,
  type TokenAccount,
  whyInactive,
  withoutActive,
} from '../../../src/core/tokens/standing.ts'
import { NOON } from '../desk.ts'
import { someMandate } from '../some-mandate.ts'

const active = someMandate({})

function reasonFor(change: Partial<TokenAccount>): string | undefined {
  const account: TokenAccount = {
    isFrozen: false,
    agentStatus: 'active',
    line: [active],
    ...change,
  }
  return whyInactive(account, NOON)?.reason
}

describe('a mandate cannot be attested', () => {
  test('while its organization is frozen or its agent paused', () => {
    expect(reasonFor({})).toBeUndefined()
    expect(reasonFor({ isFrozen: true })).toBe('organization_frozen')
    expect(reasonFor({ agentStatus: 'paused' })).toBe('agent_paused')
    expect(reasonFor({ isFrozen: true, agentStatus: 'paused' })).toBe('organization_frozen')
  })

  test('if there is none', () => {
    expect(reasonFor({ line: [] })).toBe('no_mandate')
    expect(withoutActive('revoked').message).toBe(
      'The agent has no active mandate: the last one was revoked.',
    )
  })

  test.each(['draft', 'revoked', 'expired'] as const)('if it or a parent is %s', (status) => {
    const ended = someMandate({ status })
    expect(reasonFor({ line: [ended] })).toBe(status)
    expect(reasonFor({ line: [active, ended] })).toBe(status)
  })

  test('before it and its parents have begun, and from the end of one of them on', () => {
    for (const lineWith of [
      (change: object) => [someMandate(change)],
      (change: object) => [active, someMandate(change)],
    ]) {
      expect(reasonFor({ line: lineWith({ validFrom: NOON }) })).toBeUndefined()
      expect(reasonFor({ line: lineWith({ validFrom: NOON + 1 }) })).toBe('not_started')
      expect(reasonFor({ line: lineWith({ validUntil: NOON + 1 }) })).toBeUndefined()
      expect(reasonFor({ line: lineWith({ validUntil: NOON }) })).toBe('expired')
    }
    const begun = someMandate({ validFrom: NOON - 1 })
    expect(reasonFor({ line: [begun, someMandate({ validFrom: NOON + 1 })] })).toBe('not_started')
  })
})

test('a line of mandates ends with the first mandate that ends', () => {
  const until = (validUntil: number | null) => someMandate({ validUntil })
  expect(endOfLine([until(null), until(NOON + 2), until(NOON + 1)])).toBe(NOON + 1)
  expect(endOfLine([until(null)])).toBeNull()
})

test('a line of mandates is exhausted if one of its budgets is', () => {
  const spent = someMandate({ budgetSpent: active.budgetTotal })
  expect(isExhausted([active, active], NOON)).toBe(false)
  expect(isExhausted([active, spent], NOON)).toBe(true)
})
