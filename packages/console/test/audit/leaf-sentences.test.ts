import type { AuditEntry } from '@purser/sdk'
import { describe, expect, test } from 'vitest'
import document from '../../../../openapi.json?raw'
import { fieldChanges } from '../../src/words/leaf/fields.ts'
import { plainText } from '../../src/words/leaf/pieces.ts'
import { leafSentence, spendsOf, TOLD_KINDS } from '../../src/words/leaf-sentences.ts'
import { CHANGE_CASES } from './change-cases.ts'
import { EVENT_CASES } from './event-cases.ts'
import { ADA, change, decision, names } from './leaf-support.ts'
import { ORGANIZATION_CASES } from './organization-cases.ts'

const CASES = [...EVENT_CASES, ...CHANGE_CASES, ...ORGANIZATION_CASES]

function sentence(kind: string, fields: Partial<AuditEntry>): string {
  const base = { subject: 'txn_1', actorId: null, actorName: null, payload: {} }
  const { who, what } = leafSentence({ kind, ...base, ...fields }, names)
  return `${who} ${plainText(what)}`
}

describe('a leaf as a sentence', () => {
  test.each(CASES)('%s', (kind, fields, expected) => {
    expect(sentence(kind, fields)).toBe(expected)
  })

  test('has a case and a sentence for every kind that the API names', () => {
    const kinds: string[] = JSON.parse(document).components.schemas.AuditKind.enum
    expect(kinds.length).toBeGreaterThan(60)
    expect(kinds.filter((kind) => !TOLD_KINDS.includes(kind))).toEqual([])
    expect(kinds.filter((kind) => !CASES.some(([told]) => told === kind))).toEqual([])
  })

  test('names keys, the operator and unknown actors', () => {
    const paused = change('agent-1', { status: 'active' }, { status: 'paused' })
    const payload = { ...paused.payload, actor: { id: 'key_1', name: 'ci' } }
    expect(sentence('change.agent.updated', { ...paused, payload, actorId: 'key_1' })).toBe(
      'Key “ci” paused Travel booker',
    )
    const silent = { ...paused.payload, actor: { id: 'cli', name: null } }
    expect(
      sentence('change.agent.updated', {
        ...paused,
        payload: silent,
        actorId: 'cli',
        actorName: null,
      }),
    ).toBe('The operator paused Travel booker')
  })

  test('says so when retention removed the payload, and for a kind from the future', () => {
    expect(sentence('transaction.settled', { payload: null })).toBe(
      'Purser transaction settled, txn_1. Details removed',
    )
    expect(sentence('change.robot.built', { ...ADA, subject: 'rob_1' })).toBe(
      'Ada Lindqvist robot built rob_1',
    )
  })

  test('survives payloads of any form', () => {
    for (const kind of TOLD_KINDS) {
      for (const payload of [{}, { outcome: 7, before: 'x', after: [] }, { actor: null }]) {
        expect(sentence(kind, { payload })).not.toMatch(/undefined|NaN|\[object/)
      }
    }
  })
})

test('a change in words names the fields of rules, and adds and removes rules', () => {
  const before = { 'rules.limit': null, 'rules.categories.allow': ['llm'], discloseLimits: false }
  const after = {
    'rules.limit': { type: 'limit', window: '1d', maxAmount: 60, id: 'limit', effect: 'reject' },
    'rules.categories.allow': ['llm', 'search'],
    discloseLimits: true,
  }
  expect(fieldChanges(before, after, names)).toEqual([
    {
      ...{ field: 'rules.limit', label: '1-day limit', before: undefined },
      after: 'max amount 60.00',
    },
    {
      ...{ field: 'rules.categories.allow', label: 'Categories' },
      ...{ before: 'llm', after: 'llm, search' },
    },
    { field: 'discloseLimits', label: 'Agent sees its limits', before: 'no', after: 'yes' },
  ])
})

test('spends of earlier leaves give later ones their amount and vendor', () => {
  const base = { index: 7, leaf: '', at: '', commitment: '', salt: '' }
  const entry = { ...base, subject: 'txn_7', kind: 'transaction.approved', ...decision({}) }
  expect(spendsOf([entry]).get('txn_7')).toEqual({
    ...{ amount: 84, currency: 'USD', vendor: 'sas.se', agentId: null },
  })
})
