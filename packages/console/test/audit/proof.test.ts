import type { EntryCheck } from '@purser/sdk/verify'
import { describe, expect, test } from 'vitest'
import { parseKept } from '../../src/screens/audit/kept.ts'
import { dateIn, periodWords } from '../../src/screens/audit/period.ts'
import { type ProofFacts, proofSteps, verdictWords } from '../../src/screens/audit/proof-words.ts'
import { dayHeading } from '../../src/screens/audit/rows.ts'
import { treeShape, turnsTo } from '../../src/screens/audit/tree-shape.ts'

const PROVEN: EntryCheck = {
  record: { outcome: 'proven', commitment: 'c'.repeat(64), leaf: 'a'.repeat(64) },
  inclusion: { outcome: 'proven', hashes: 15, size: 18_204 },
  signature: { outcome: 'proven', fault: null, keyId: '937f7438' },
  growth: { outcome: 'proven', from: 18_044 },
}
const FACTS: ProofFacts = {
  ...{ check: PROVEN, index: 18_197, leaf: 'a'.repeat(64), commitment: 'c'.repeat(64) },
  ...{ isFirstSight: false, keySince: '3 October', headAt: '3 h ago', headSize: 18_044 },
}

function change(step: keyof EntryCheck, fields: object): EntryCheck {
  return { ...PROVEN, [step]: { ...PROVEN[step], ...fields } }
}

describe('the result of a proof in words', () => {
  test('a true leaf is proven, in four named steps', () => {
    expect(verdictWords(PROVEN, false)).toMatchObject({
      tone: 'ok',
      title: 'Proven in this browser.',
    })
    expect(proofSteps(FACTS).map(({ title, text }) => [title, text])).toEqual([
      [
        'The record fits its hash',
        'Salt and payload give commitment cccccccc…, and that gives leaf aaaaaaaa…',
      ],
      ['The leaf is in the tree', '15 hashes lead from leaf 18,197 to the root of 18,204 leaves'],
      ['The root is signed', 'By key 937f7438, which this browser has known since 3 October'],
      ['The log only grew', 'It continues from the head of 18,044 leaves that you saw 3 h ago'],
    ])
  })

  const REFUTED = { outcome: 'refuted' }
  test.each<[string, EntryCheck, string]>([
    ['an altered payload', change('record', REFUTED), 'does not fit its hash'],
    ['a wrong path', change('inclusion', REFUTED), 'not in the signed log'],
    ['an unknown key', change('signature', { ...REFUTED, fault: 'unknown_key' }), 'does not know'],
    ['a wrong signature', change('signature', { ...REFUTED, fault: 'bad_signature' }), 'is wrong'],
    ['a shorter log', change('growth', { ...REFUTED, from: 20_000 }), 'does not continue'],
  ])('%s is red', (_name, check, words) => {
    const verdict = verdictWords(check, false)
    expect(verdict.tone).toBe('no')
    expect(verdict.title).toContain(words)
  })

  test.each<keyof EntryCheck>(['record', 'inclusion', 'signature', 'growth'])(
    'nothing is proven while the step %s is not checked',
    (step) => {
      const verdict = verdictWords(change(step, { outcome: 'unchecked' }), false)
      expect(verdict.tone).toBe('ask')
      expect(verdict.title).not.toContain('Proven')
    },
  )

  test('a first check has no head to compare with, and is proven', () => {
    const check = change('growth', { outcome: 'unchecked', from: null })
    expect(verdictWords(check, true).tone).toBe('ok')
  })

  test('without Ed25519, the third step says that it was not checked', () => {
    const unchecked = { outcome: 'unchecked', fault: 'crypto_unsupported', keyId: null }
    const check = change('signature', unchecked)
    expect(verdictWords(check, false).tone).toBe('ask')
    expect(proofSteps({ ...FACTS, check })[2]).toMatchObject({
      ...{ outcome: 'unchecked', title: 'The signature: not checked here' },
    })
  })

  test('a shorter log names both sizes', () => {
    const check = change('growth', { ...REFUTED, from: 20_000 })
    expect(proofSteps({ ...FACTS, check })[3]?.text).toBe(
      'It has 18,204 leaves now, and the head of 20,000 leaves is kept here',
    )
  })
})

test('the tree turns as RFC 6962 splits it', () => {
  expect(turnsTo(0, 1)).toEqual([])
  expect(turnsTo(2, 3)).toEqual(['right'])
  expect(turnsTo(4, 7)).toEqual(['right', 'left', 'left'])
  const { nodes, edges, leaf } = treeShape(4, 7)
  expect([nodes.length, edges.length, leaf.label]).toEqual([7, 6, 'leaf'])
  expect(treeShape(0, 1).leaf.label).toBe('leaf')
})

test('a browser keeps only what this page wrote', () => {
  const kept = { keys: ['k'], since: 's', head: { note: 'n', size: 3, at: 't' } }
  expect(parseKept(JSON.stringify(kept))).toEqual(kept)
  for (const text of [
    null,
    '',
    '{',
    '{}',
    '{"keys":[],"since":"","head":null}',
    '{"keys":["k"]}',
  ]) {
    expect(parseKept(text)).toBeNull()
  }
})

test('days and periods follow the zone of the organization', () => {
  const now = new Date('2026-11-17T23:30:00Z')
  expect(dayHeading(now, 'Europe/Stockholm', now)).toBe('Today, 18 November')
  expect(dayHeading(new Date('2026-11-17T12:00:00Z'), 'Europe/Stockholm', now)).toBe(
    'Yesterday, 17 November',
  )
  expect(dateIn(0, 'Europe/Stockholm', now)).toBe('2026-11-18')
  const period = { from: '2026-11-11', to: '2026-11-15' }
  expect(periodWords(period, 'UTC', now)).toBe('11 November to 14 November')
  expect(periodWords({ from: '2026-11-11' }, 'UTC', now)).toBe('since 11 November')
})
