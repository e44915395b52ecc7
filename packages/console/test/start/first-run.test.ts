import type { ListedTransaction, Mandate, Rule } from '@purser/sdk'
import { expect, test } from 'vitest'
import {
  dueStep,
  firstRunSteps,
  laterSteps,
  peopleSentence,
  progressSentence,
} from '../../src/parts/first-run/steps.ts'
import { excessiveSpend, excessNote, goodSpend } from '../../src/screens/start/example-spend.ts'
import { pairOf } from '../../src/screens/start/pair-of.ts'
import { keySnippets, spendSnippets } from '../../src/screens/start/snippets.ts'
import { mandateSentences, sentenceText } from '../../src/words/mandate-words.ts'
import { TEMPLATES, templateLine, templateTerms } from '../../src/words/templates.ts'

const NOTHING = {
  organization: { name: 'Meridian Labs', timezone: 'Europe/Stockholm', currency: 'USD' },
  ...{ key: null, agent: null, mandate: null, hasDraft: false, hasSpend: false },
  ...{ hasWebhook: false, people: 1 },
}
const MANDATE = { budgetTotal: 100, currency: 'USD', budgetPeriod: 'monthly' }

test('each step follows from what exists', () => {
  const due = (facts: object) => dueStep(firstRunSteps({ ...NOTHING, ...facts }))
  expect(due({})).toBe('key')
  expect(due({ key: 'dev' })).toBe('agent')
  expect(due({ key: 'dev', agent: 'A' })).toBe('mandate')
  expect(due({ key: 'dev', agent: 'A', hasDraft: true })).toBe('mandate')
  expect(due({ key: 'dev', agent: 'A', mandate: MANDATE })).toBe('spend')
  const spent = { key: 'dev', agent: 'A', mandate: MANDATE, hasSpend: true }
  expect(due(spent)).toBe('webhook')
  expect(due({ ...spent, hasWebhook: true })).toBe('people')
  expect(due({ ...spent, hasWebhook: true, people: 2 })).toBeUndefined()
})

test('says how far the person is', () => {
  const steps = firstRunSteps({ ...NOTHING, key: 'dev', agent: 'A', mandate: MANDATE })
  expect(progressSentence(steps)).toBe('4 of 7 done, about a minute left')
  expect(steps[3]?.note).toBe('100.00 USD a month, active')
  expect(progressSentence(firstRunSteps(NOTHING))).toBe('1 of 7 done, about two minutes left')
})

test('two steps are left after the first decision', () => {
  const spent = { key: 'dev', agent: 'A', mandate: MANDATE, hasSpend: true }
  const later = (facts: object) => laterSteps(firstRunSteps({ ...NOTHING, ...spent, ...facts }))
  expect(later({}).map(({ id }) => id)).toEqual(['webhook', 'people'])
  expect(later({ hasWebhook: true, people: 2 })).toEqual([])
})

test('only four eyes makes a second person necessary', () => {
  expect(peopleSentence(false)).toBe('With a second person, someone else can approve.')
  expect(peopleSentence(true)).toContain('must approve')
})

const mandateOf = (index: number): Mandate => {
  const template = TEMPLATES[index]
  const rules = (template?.rules ?? []).map((rule) => ({ effect: 'reject', ...rule })) as Rule[]
  const budgetTotal = template?.budgetTotal ?? 0
  return { agentId: 'agent', currency: 'USD', budgetTotal, rules } as Partial<Mandate> as Mandate
}

test('the spends to try fit each template', () => {
  expect(goodSpend(mandateOf(0))).toEqual({
    ...{ agentId: 'agent', amount: 12.5, vendor: 'api.openai.com', category: 'llm' },
  })
  expect(excessiveSpend(mandateOf(0)).amount).toBe(40)
  expect(excessNote(mandateOf(0))).toBe('amount 40, above the per-spend limit of 25.00 USD')
  expect(goodSpend(mandateOf(1))).toMatchObject({ vendor: 'lufthansa.com', category: 'travel' })
  expect(excessiveSpend(mandateOf(1)).amount).toBe(800)
  expect(excessiveSpend(mandateOf(2)).amount).toBe(96)
  expect(excessNote(mandateOf(3))).toBe('amount 160, above the budget of 100.00 USD')
})

test('an approval of a template can be reached', () => {
  for (const { rules } of TEMPLATES) {
    const approval = rules.find((rule) => rule.type === 'approval')
    const amount = rules.find((rule) => rule.type === 'amount')
    if (approval) expect(approval.above).toBeLessThan(amount?.max ?? Number.POSITIVE_INFINITY)
  }
})

test('says a template in a line and in sentences', () => {
  expect(TEMPLATES.map((one) => templateLine(one, 'USD'))).toEqual([
    '100.00 USD a month, at most 25.00 USD per spend, for llm or search',
    '1,500.00 USD a month, at most 500.00 USD per spend, approval above 300.00 USD, for travel',
    '300.00 USD a month, at most 60.00 USD a day, new vendors need approval',
    '100.00 USD a month, no other rules yet',
  ])
  const [research] = TEMPLATES
  const terms = research && templateTerms(research, 'EUR')
  expect(terms && mandateSentences(terms).map(sentenceText)).toEqual([
    '100.00 EUR a month.',
    'At most 25.00 per spend.',
    'Only for llm or search.',
  ])
})

test('shows a key only in part, and copies the whole', () => {
  const options = { origin: 'http://127.0.0.1:3000', apiKey: 'psr_test_abcdefghijklmnop' }
  for (const { code, copyText } of [
    ...spendSnippets(goodSpend(mandateOf(0)), options),
    ...keySnippets(options.apiKey, options.origin),
  ]) {
    expect(code).not.toContain(options.apiKey)
    expect(copyText).toContain(options.apiKey)
  }
  const [curl] = spendSnippets(goodSpend(mandateOf(0)), { ...options, apiKey: undefined })
  expect(curl?.copyText).toContain('"Authorization: Bearer $PURSER_API_KEY"')
})

test('the first decision and the first rejection after it stand side by side', () => {
  const one = (transactionId: string, decision: string) =>
    ({ transactionId, decision }) as ListedTransaction
  expect(pairOf([])).toEqual({ first: undefined, second: undefined })
  expect(pairOf([one('c', 'rejected'), one('b', 'rejected'), one('a', 'approved')])).toEqual({
    ...{ first: 'a', second: 'b' },
  })
})
