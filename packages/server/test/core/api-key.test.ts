import { describe, expect, test } from 'vitest'
import {
  actsFor,
  BOUND_KEY_SCOPES,
  hasScope,
  onlyAgentOf,
  SCOPES,
  scopesBeyond,
} from '../../src/core/api-key.ts'

describe('a key', () => {
  test('without a list of agents acts for every agent, and with one only for these', () => {
    expect(actsFor({ agentIds: null }, 'a')).toBe(true)
    expect(actsFor({ agentIds: ['a', 'b'] }, 'b')).toBe(true)
    expect(actsFor({ agentIds: ['a', 'b'] }, 'c')).toBe(false)
    expect(actsFor({ agentIds: [] }, 'a')).toBe(false)
  })

  test('names an agent by itself only if it is bound to exactly one', () => {
    const only = [null, [], ['a'], ['a', 'b']].map((agentIds) => onlyAgentOf({ agentIds }))
    expect(only).toEqual([undefined, undefined, 'a', undefined])
  })

  test('reads where it may write, and never writes where it may read', () => {
    const key = { scopes: ['cards:write', 'keys:read'] } as const
    expect(SCOPES.filter((scope) => hasScope(key, scope))).toEqual([
      'cards:read',
      'cards:write',
      'keys:read',
    ])
  })

  test('with all scopes has more than a key with some, and never the other way round', () => {
    const [all, some] = [{ scopes: null }, { scopes: BOUND_KEY_SCOPES }]
    expect(scopesBeyond(all, some)).toEqual([])
    expect(scopesBeyond(some, some)).toEqual([])
    expect(scopesBeyond(some, all)).toEqual(
      SCOPES.filter((scope) => !BOUND_KEY_SCOPES.includes(scope)),
    )
  })
})
