import type { RuleInput } from '@purser/sdk'
import { describe, expect, it } from 'vitest'
import { termRows } from '../../src/words/mandate-diff.ts'
import {
  compareSentences,
  countChanges,
  mandateSentences,
  sentenceText,
} from '../../src/words/mandate-words.ts'
import { ruleShort, ruleTitle } from '../../src/words/rule-short.ts'
import { ruleSentences } from '../../src/words/rule-words.ts'
import { daysText } from '../../src/words/schedule-words.ts'
import type { Terms } from '../../src/words/term-words.ts'

function wordsOf(rule: RuleInput): string {
  return ruleSentences(rule, 'USD').map(sentenceText).join(' ')
}

const RULES: readonly (readonly [RuleInput, string])[] = [
  [{ type: 'amount', max: 300 }, 'At most 300.00 per spend.'],
  [{ type: 'amount', min: 0.001, max: 50 }, 'At least 0.001 per spend. At most 50.00 per spend.'],
  [
    { type: 'amount', max: 300, effect: 'require_approval' },
    'A person must approve spends above 300.00.',
  ],
  [{ type: 'amount', max: 300, effect: 'flag' }, 'Flags spends above 300.00.'],
  [{ type: 'limit', maxAmount: 1200, window: 'day' }, 'At most 1,200.00 a day.'],
  [
    {
      ...{ type: 'limit', maxAmount: 100, maxCount: 1, window: '7d', groupBy: 'vendor' },
      match: { vendor: '*.example.com', category: 'search', path: 'x402' },
    },
    'At most 100.00 and 1 spend within 7 days per vendor at *.example.com for search by x402.',
  ],
  [
    { type: 'limit', maxCount: 3, window: 'hour', effect: 'require_approval' },
    'A person must approve more than 3 spends an hour.',
  ],
  [{ type: 'vendors', allow: ['a.com', 'b.com'] }, 'Only at a.com or b.com.'],
  [
    { type: 'vendors', allow: ['a', 'b', 'c', 'd', 'e', 'f'], block: ['x.com'] },
    'Only at a, b, c, d and 2 more. Never at x.com.',
  ],
  [{ type: 'categories', allow: ['travel'] }, 'Only for travel.'],
  [{ type: 'categories', block: ['ads'], effect: 'flag' }, 'Flags spends for ads.'],
  [{ type: 'paths', allow: ['evaluate', 'x402'] }, 'Only by Direct or x402.'],
  [
    {
      ...{ type: 'schedule', effect: 'flag', timezone: 'Europe/Berlin' },
      windows: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '07:00', to: '19:00' }],
    },
    'Flags spends outside Mon to Fri, 07:00 to 19:00 (Europe/Berlin).',
  ],
  [
    { type: 'duplicate', window: '10m' },
    'A spend with the same vendor, amount and reference within 10 minutes is rejected.',
  ],
  [{ type: 'new_vendor', effect: 'flag' }, 'The first spend at a vendor is flagged.'],
  [
    { type: 'price_drift', maxIncreasePercent: 25, effect: 'require_approval' },
    'A price more than 25 % above the last one at the vendor needs approval.',
  ],
  [{ type: 'expression', expr: 'count.day < 5' }, 'Only if count.day < 5.'],
  [
    { type: 'approval', above: 500, expiresIn: '30m' },
    'A person must approve spends above 500.00. A request expires after 30 minutes.',
  ],
  [{ type: 'approval' }, 'A person must approve every spend.'],
]

describe('the words of a rule', () => {
  it.each(RULES)('%j', (rule, words) => {
    expect(wordsOf(rule)).toBe(words)
  })

  it('covers every type of rule', () => {
    expect(new Set(RULES.map(([{ type }]) => type)).size).toBe(11)
  })

  it.each(RULES)('has a title and a short form for %j', (rule) => {
    expect(ruleTitle(rule)).not.toBe('')
    expect(ruleShort(rule, 'USD')).not.toBe('')
  })

  it('marks the rules that end with a person or a flag', () => {
    const marks = (rule: RuleInput) => ruleSentences(rule, 'USD').map(({ mark }) => mark)
    expect(marks({ type: 'approval' })).toEqual(['approval'])
    expect(marks({ type: 'new_vendor', effect: 'flag' })).toEqual(['flag'])
    expect(marks({ type: 'new_vendor' })).toEqual([undefined])
  })

  it('names the days of a window', () => {
    expect(daysText(['wed', 'mon', 'tue'])).toBe('Mon to Wed')
    expect(daysText(['sat', 'mon'])).toBe('Mon, Sat')
    expect(daysText(undefined)).toBe('every day')
  })
})

const TERMS: Terms = {
  currency: 'USD',
  budgetTotal: 3000,
  budgetPeriod: 'monthly',
  timezone: 'Europe/Stockholm',
  validFrom: null,
  validUntil: null,
  warningPercents: [80],
  rules: [
    { type: 'amount', id: 'amount', effect: 'reject', max: 250 },
    { type: 'limit', id: 'limit', effect: 'reject', maxAmount: 1200, window: 'day' },
    { type: 'vendors', id: 'vendors', effect: 'reject', allow: ['sas.se', 'sj.se'] },
  ],
}

describe('the words of a mandate', () => {
  it('begins with the budget and the dates', () => {
    const terms = { ...TERMS, validUntil: '2027-03-30T22:00:00.000Z' }
    expect(mandateSentences(terms).map(sentenceText).slice(0, 2)).toEqual([
      '3,000.00 USD a month.',
      'Expires on 31 March 2027, 00:00.',
    ])
  })

  it('marks what changed, was added and was removed', () => {
    const after: Terms = {
      ...TERMS,
      rules: [
        { type: 'amount', id: 'amount', max: 300 },
        { type: 'vendors', id: 'vendors', allow: ['sas.se', '*.bahn.de'] },
        { type: 'approval', id: 'approval', above: 200 },
      ],
    }
    const lines = compareSentences(TERMS, after)
    expect(lines.map((line) => `${line.change}: ${sentenceText(line)}`)).toEqual([
      'same: 3,000.00 USD a month.',
      'old: At most 250.00 per spend.',
      'new: At most 300.00 per spend.',
      'old: At most 1,200.00 a day.',
      'same: Only at sas.se or *.bahn.de.',
      'old: Vendor removed: sj.se.',
      'new: Vendor added: *.bahn.de.',
      'new: A person must approve spends above 200.00.',
    ])
    expect(countChanges(lines)).toBe(4)
  })

  it('finds no change in the same terms', () => {
    expect(countChanges(compareSentences(TERMS, TERMS))).toBe(0)
    expect(termRows(TERMS, TERMS)).toEqual([])
  })

  it('sets the terms that differ side by side', () => {
    const after: Terms = {
      ...TERMS,
      budgetTotal: 3500,
      rules: [
        { type: 'amount', id: 'amount', max: 300, effect: 'flag' },
        { type: 'limit', id: 'limit', maxAmount: 1200, window: 'day' },
        { type: 'vendors', id: 'vendors', allow: ['sas.se', 'sj.se', '*.bahn.de'] },
        { type: 'approval', id: 'approval', above: 500, expiresIn: '30m' },
      ],
    }
    expect(termRows(TERMS, after)).toEqual([
      { key: 'budget', label: 'Budget', before: '3,000.00 USD', after: '3,500.00 USD' },
      {
        ...{ key: 'rule:amount:amount', label: 'Per-spend limit' },
        ...{ before: '250.00 USD', after: '300.00 USD, otherwise flag' },
      },
      {
        ...{ key: 'rule:vendors:vendors', label: 'Vendors', before: '2 hosts', after: '3 hosts' },
        ...{ added: ['*.bahn.de'], removed: [] },
      },
      {
        ...{ key: 'rule:approval:approval', label: 'Require approval', before: undefined },
        after: 'above 500.00 USD, 30 minutes',
      },
    ])
  })
})
