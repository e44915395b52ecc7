import type { Finding, Mandate, RuleInput } from '@purser/sdk'
import { describe, expect, it } from 'vitest'
import { exceptionFor } from '../../src/screens/mandates/editor/form/exception.ts'
import { fixOf } from '../../src/screens/mandates/editor/form/fixes.ts'
import {
  formOfMandate,
  type MandateForm,
  readForm,
} from '../../src/screens/mandates/editor/form/mandate-form.ts'
import { listWas, ruleMark, wasText } from '../../src/screens/mandates/editor/form/marks.ts'
import { readRule } from '../../src/screens/mandates/editor/form/read-rule.ts'
import {
  emptyRule,
  formOfRule,
  freeRuleId,
} from '../../src/screens/mandates/editor/form/rule-form.ts'
import { fromLocalText, toLocalText } from '../../src/words/zoned-time.ts'

const RULES: readonly RuleInput[] = [
  { type: 'amount', id: 'amount', effect: 'reject', min: 0.000001, max: 300 },
  {
    ...{ type: 'limit', id: 'limit', effect: 'flag', maxAmount: 1200.5, maxCount: 20 },
    ...{
      window: '7d',
      groupBy: 'vendor',
      match: { vendor: '*.a.com', category: 'b', path: 'card' },
    },
  },
  { type: 'vendors', id: 'vendors', effect: 'reject', allow: ['a.com'], block: ['b.a.com'] },
  { type: 'categories', id: 'categories', effect: 'require_approval', block: ['ads'] },
  { type: 'paths', id: 'paths', effect: 'reject', allow: ['evaluate', 'card'] },
  {
    ...{ type: 'schedule', id: 'schedule', effect: 'flag', timezone: 'Europe/Berlin' },
    windows: [
      { days: ['mon', 'fri'], from: '07:00', to: '19:00' },
      { from: '22:00', to: '02:00' },
    ],
  },
  {
    type: 'duplicate',
    id: 'duplicate',
    effect: 'reject',
    window: '10m',
    match: ['vendor', 'amount'],
  },
  { type: 'new_vendor', id: 'new_vendor', effect: 'require_approval' },
  { type: 'price_drift', id: 'price_drift', effect: 'flag', maxIncreasePercent: 12.5 },
  { type: 'expression', id: 'expression', effect: 'reject', expr: "category != 'ads'" },
  { type: 'approval', id: 'approval', effect: 'require_approval', above: 500, expiresIn: '2h' },
]

describe('the form of a rule', () => {
  it.each(RULES)('keeps every setting of %j', (rule) => {
    expect(readRule(formOfRule(rule)).rule).toEqual(rule)
  })

  it('covers every type', () => {
    expect(new Set(RULES.map(({ type }) => type)).size).toBe(11)
  })

  it('never reads a mistaken amount as an absent one', () => {
    const form = formOfRule({ type: 'amount', id: 'a', min: 1, max: 250 })
    const read = readRule({ ...form, texts: { ...form.texts, max: '250,50' } })
    expect(read.rule).toBeNull()
    expect(read.problems).toEqual({ max: 'Use a point for decimals: 250.50.' })
  })

  it.each(['vendors', 'categories', 'amount', 'limit', 'expression'] as const)(
    'asks for the settings of a new %s rule',
    (type) => {
      expect(readRule(emptyRule(type, [])).rule).toBeNull()
    },
  )

  it('names new rules as the gateway does', () => {
    const rules = [emptyRule('limit', [])]
    expect(freeRuleId('limit', rules)).toBe('limit-2')
    expect(freeRuleId('amount', rules)).toBe('amount')
  })

  it('shows micro amounts without an exponent', () => {
    expect(formOfRule({ type: 'amount', min: 0.0000005, max: 0.000001 }).texts['max']).toBe(
      '0.000001',
    )
  })
})

const MANDATE = {
  ...{ agentId: 'agent', name: 'Travel', currency: 'USD', timezone: 'Europe/Stockholm' },
  ...{ budgetTotal: 3000, budgetPeriod: 'monthly', validFrom: null, validUntil: null },
  ...{
    warningPercents: [80],
    discloseLimits: false,
    rules: [{ type: 'amount', id: 'amount', effect: 'reject', max: 250 }],
  },
} as unknown as Mandate
const FORM: MandateForm = formOfMandate(MANDATE)

describe('the form of a mandate', () => {
  it('gives nothing to send while a field is wrong', () => {
    expect(readForm(FORM).input).toMatchObject({ budgetTotal: 3000, name: 'Travel' })
    expect(readForm({ ...FORM, budgetTotal: '3.000,00' }).input).toBeNull()
    expect(readForm({ ...FORM, rules: [...FORM.rules, emptyRule('vendors', [])] })).toMatchObject({
      input: null,
      problems: { 'vendors/allow': 'Add a host to allow or block.' },
    })
  })

  it('marks what changed, with the value before', () => {
    const before = formOfRule({ type: 'amount', id: 'amount', max: 250 })
    const after = { ...before, texts: { min: '', max: '300' } }
    expect(ruleMark(before, after)).toBe('changed')
    expect(ruleMark(before, { ...before, texts: { min: '', max: '250' } })).toBe('same')
    expect(ruleMark(undefined, after)).toBe('new')
    expect(wasText(before, after, 'max', 4)).toBe('was 250.00 in version 4')
    expect(wasText(before, after, 'min', 4)).toBeUndefined()
    expect(listWas(['a', 'b'], ['b', 'c'])).toBe('1 added, 1 removed: a')
  })
})

describe('a date and time in a zone', () => {
  it.each([
    ['2027-03-31T00:00', 'Europe/Stockholm', '2027-03-30T22:00:00.000Z'],
    ['2027-01-31T00:00', 'Europe/Stockholm', '2027-01-30T23:00:00.000Z'],
    ['2027-03-28T03:30', 'Europe/Stockholm', '2027-03-28T01:30:00.000Z'],
    ['2027-06-01T12:00', 'Asia/Kolkata', '2027-06-01T06:30:00.000Z'],
    ['2027-06-01T12:00', 'UTC', '2027-06-01T12:00:00.000Z'],
  ])('reads %s in %s as %s, and back', (text, zone, iso) => {
    expect(fromLocalText(text, zone)?.toISOString()).toBe(iso)
    expect(toLocalText(new Date(iso), zone)).toBe(text)
  })

  it('reads no time from an empty field', () => {
    expect(fromLocalText('', 'UTC')).toBeUndefined()
  })
})

describe('the fix of a warning', () => {
  const place = {
    ...{ budgetTotal: 3000, currency: 'USD' },
    rules: [
      formOfRule({ type: 'amount', id: 'amount', max: 300 }),
      formOfRule({ type: 'approval', id: 'approval', above: 500 }),
      formOfRule({ type: 'new_vendor', id: 'new_vendor', effect: 'reject' }),
    ],
  }
  const warning = (code: string, ...ruleIds: string[]) => ({ code, ruleIds, message: '' })

  it('asks for approval below the limit', () => {
    const fix = fixOf(warning('approval_never_asked', 'approval', 'amount'), place)
    expect(fix?.label).toBe('Require approval above 200.00 instead')
    expect(fix?.rules[1]?.texts['above']).toBe('200.00')
  })

  it('lets new vendors become known', () => {
    const fix = fixOf(warning('new_vendors_rejected', 'new_vendor'), place)
    expect(fix?.rules[2]?.effect).toBe('require_approval')
  })

  it('offers nothing if only a person can know', () => {
    expect(fixOf(warning('no_vendor_allowed', 'amount'), place)).toBeUndefined()
    expect(fixOf(warning('past_being_counted', 'gone'), place)).toBeUndefined()
  })
})

describe('the exception for a rejected spend', () => {
  const finding = (id: string, code: string, observed: unknown = null): Finding =>
    ({ id, code, observed, outcome: 'fail', type: id, limit: null, window: null }) as Finding
  const form: MandateForm = {
    ...FORM,
    rules: [
      formOfRule({ type: 'amount', id: 'amount', max: 250 }),
      formOfRule({ type: 'limit', id: 'limit', maxAmount: 500, window: 'day' }),
      formOfRule({ type: 'vendors', id: 'vendors', allow: ['a.com'], block: ['*.sas.se'] }),
      formOfRule({ type: 'new_vendor', id: 'new_vendor' }),
    ],
  }
  const spend = (...rules: Finding[]) => ({
    ...{ amount: 297, vendor: 'www.sas.se', category: 'travel', path: 'evaluate' as const },
    ...{ currency: 'USD', code: rules[0]?.code ?? '' },
    evaluationDetails: { rules, budget: { remaining: 100 } } as never,
  })

  it('raises the per-spend limit to the amount, and changes nothing else', () => {
    const { form: next, changes } = exceptionFor(form, spend(finding('amount', 'amount_above_max')))
    expect(changes).toEqual(['Per-spend limit raised to 297.00.'])
    expect(next.rules[0]?.texts['max']).toBe('297.00')
    expect(next.rules.slice(1)).toEqual(form.rules.slice(1))
  })

  it('raises a limit to the total, and the budget by what is missing', () => {
    const rules = [
      finding('limit', 'limit_amount_exceeded', 612.5),
      finding('budget', 'budget_exceeded'),
    ]
    const { form: next, changes } = exceptionFor(form, spend(...rules))
    expect(next.rules[1]?.texts['maxAmount']).toBe('612.50')
    expect(next.budgetTotal).toBe('3197.00')
    expect(changes).toHaveLength(2)
  })

  it('allows the vendor and blocks it no longer', () => {
    const { form: next } = exceptionFor(form, spend(finding('vendors', 'vendor_blocked')))
    expect(next.rules[2]?.lists).toEqual({ allow: ['a.com', 'www.sas.se'], block: [] })
  })

  it('turns a rule without a measure into a flag', () => {
    const { form: next } = exceptionFor(form, spend(finding('new_vendor', 'new_vendor')))
    expect(next.rules[3]?.effect).toBe('flag')
  })

  it('changes nothing for a rule of a parent, or a payee', () => {
    const rules = [
      finding('mnd_1/amount', 'amount_above_max'),
      finding('vendors', 'payee_mismatch'),
    ]
    expect(exceptionFor(form, spend(...rules))).toEqual({ form, changes: [] })
  })
})
