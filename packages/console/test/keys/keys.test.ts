import type { ApiKey, CreatedApiKey, Scope } from '@purser/sdk'
import { describe, expect, it } from 'vitest'
import { keySnippets, spenderOf } from '../../src/screens/keys/key-snippets.ts'
import { leavesNoManager, madeBy, reachWord, SPEND_SCOPES } from '../../src/screens/keys/reach.ts'
import { type KeyForm, lifetimeDays, missingIn, toKeyInput } from '../../src/screens/keys/terms.ts'

const ORIGIN = 'http://127.0.0.1:3000'
const NOW = Date.parse('2026-11-17T12:00:00.000Z')

function key(fields: Partial<ApiKey>): ApiKey {
  return {
    ...{ id: 'key_1', name: 'ci', prefix: 'psr_test_abc', scopes: null, agentIds: null },
    ...{ expiresAt: null, lastUsedAt: null, createdAt: '2026-11-01T12:00:00.000Z' },
    ...{ createdBy: null, warnings: [] },
    ...fields,
  }
}

const form: KeyForm = {
  ...{ name: ' research-prod ', owner: 'agent', agentId: 'agent-1', reach: 'spends' },
  ...{ scopes: [], days: 'never' },
}

describe('the reach of a key', () => {
  it('has one word', () => {
    expect(reachWord(null)).toBe('Everything')
    expect(
      reachWord(['transactions:write', 'gateway:read', 'gateway:write', 'transactions:read']),
    ).toBe('Spend')
    expect(reachWord(['audit:read', 'agents:read'])).toBe('Read')
    expect(reachWord(['audit:read', 'agents:write'])).toBe('2 scopes')
  })

  it('lists active keys that a key created, also through a revoked key', () => {
    const keys = [
      key({ id: 'key_3', createdBy: 'key_2' }),
      key({ id: 'key_2', createdBy: 'key_1', revokedAt: '2026-11-02T00:00:00.000Z' }),
      key({ id: 'key_4', createdBy: 'mem_1' }),
      key({ id: 'key_1' }),
    ]
    expect(madeBy(keys, 'key_1').map(({ id }) => id)).toEqual(['key_3'])
  })

  it('knows when no key that manages keys would be left', () => {
    const keys = [
      key({ id: 'key_1' }),
      key({ id: 'key_2', agentIds: ['agent-1'] }),
      key({ id: 'key_3', scopes: ['keys:read'] }),
      key({ id: 'key_4', expiresAt: '2026-11-17T11:59:00.000Z' }),
    ]
    expect(leavesNoManager(keys, new Set(['key_1']), NOW)).toBe(true)
    expect(leavesNoManager(keys, new Set(['key_2']), NOW)).toBe(false)
  })
})

describe('the form for a key', () => {
  it('sends no scopes for an agent that spends', () => {
    expect(toKeyInput(form, NOW)).toEqual({ name: 'research-prod', agentIds: ['agent-1'] })
  })

  it('sends the date of the expiry', () => {
    const input = toKeyInput({ ...form, owner: 'all', reach: 'everything', days: '7' }, NOW)
    expect(input).toEqual({ name: 'research-prod', expiresAt: '2026-11-24T12:00:00.000Z' })
  })

  it('names each missing field', () => {
    expect(missingIn({ ...form, name: ' ', agentId: '', reach: 'custom' })).toEqual({
      name: 'Give the key a name.',
      agentId: 'Choose the agent.',
      scopes: 'Choose one scope or more.',
    })
  })

  it('keeps the lifetime of a key that is rotated', () => {
    expect(lifetimeDays(key({ expiresAt: '2026-12-01T12:00:00.000Z' }))).toBe('30')
    expect(lifetimeDays(key({}))).toBe('never')
  })
})

describe('the snippets of a new key', () => {
  const made: CreatedApiKey = {
    ...key({ agentIds: ['agent-1'] }),
    apiKey: `psr_test_${'x'.repeat(40)}`,
  }

  it('copies the whole key and shows its beginning', () => {
    const key = { ...made, scopes: ['gateway:write'] as const }
    const [curl] = keySnippets(key, spenderOf(key, []), ORIGIN)
    expect(curl?.copyText).toContain(made.apiKey)
    expect(curl?.copyText).toContain('"agentId": "agent-1"')
    expect(curl?.code).not.toContain(made.apiKey)
  })

  it('spends for an agent that exists, if the key is for every agent', () => {
    const key = { agentIds: null, scopes: SPEND_SCOPES }
    expect(spenderOf(key, ['agent-7'])).toBe('agent-7')
    expect(spenderOf(key, [])).toBeNull()
    expect(spenderOf({ agentIds: null, scopes: null }, ['agent-7'])).toBeNull()
  })

  it.each<[Scope, string, string]>([
    ['audit:read', '/api/v1/audit-log', 'purser.auditLog.list()'],
    ['agents:read', '/api/v1/agents', 'purser.agents.list()'],
    ['organization:read', '/api/v1/organization', 'purser.organization.get()'],
    ['transactions:read', '/api/v1/transactions', 'purser.transactions.list('],
  ])('reads with a key that has only %s', (scope, path, call) => {
    const key = { ...made, scopes: [scope] }
    const [curl, , code] = keySnippets(key, spenderOf(key, ['agent-7']), ORIGIN)
    expect(curl?.code).toContain(path)
    expect(code?.code).toContain(call)
  })
})
