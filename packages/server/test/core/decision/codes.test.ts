import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ApprovalStatus } from '../../../src/core/approvals/permit.ts'
import { CODE_SOURCES, DECISION_CODES } from '../../../src/core/decision/codes.ts'
import type { Decision } from '../../../src/core/decision/decide.ts'
import { SAMPLES } from '../../../src/core/events/sample-event.ts'
import { budgetCodes } from '../../../src/core/rules/budget.ts'
import { type Codes, type DecisionCode, sharedCodes } from '../../../src/core/rules/codes.ts'
import { RULES } from '../../../src/core/rules/kinds/index.ts'
import type { RuleInput } from '../../../src/core/rules/rule-set.ts'
import type { KnownPayee, Spend } from '../../../src/core/spend.ts'
import { runsOf } from '../../support/sized.ts'
import { createDesk, type Desk, type DeskMandate, NOON, someCard, units } from '../desk.ts'
import { situations } from '../some-history.ts'

const TESTS = resolve(import.meta.dirname, '../..')

const CLAIMED: KnownPayee = {
  network: 'eip155:8453',
  address: `0x${'ab'.repeat(20)}`,
  assurance: 'agent_claimed',
  mismatch: null,
}

/** A desk before which a spend gets the code, and that spend. */
interface Scene {
  readonly desk: Desk
  readonly spend?: Partial<Spend>
}

/** For every code that there is, how a spend comes to it. */
const SCENES: Readonly<Record<string, () => Scene>> = {
  approved: () => ({ desk: createDesk({}) }),
  organization_frozen: () => accountOf({ organization: { frozen: true } }),
  agent_paused: () => accountOf({ agent: { id: 'a', status: 'paused', tags: [] } }),
  card_paused: () => ({ desk: createDesk(), spend: { card: someCard({ stop: 'card_paused' }) } }),
  card_closed: () => ({ desk: createDesk(), spend: { card: someCard({ stop: 'card_closed' }) } }),
  no_active_mandate: () => ({ desk: createDesk() }),
  mandate_not_started: () => ({ desk: createDesk({ validFrom: NOON + 1 }) }),
  mandate_expired: () => ({ desk: createDesk({ validUntil: NOON }) }),
  currency_mismatch: () => ({ desk: createDesk({ currency: 'EUR' }), spend: { currency: 'USD' } }),
  payee_mismatch: () => ({
    desk: createDesk({}),
    spend: { payee: { ...CLAIMED, mismatch: 'The directory names others.' } },
  }),
  path_not_allowed: () => ruled({ type: 'paths', allow: ['x402'] }),
  vendor_blocked: () => ruled({ type: 'vendors', block: ['api.openai.com'] }),
  vendor_not_allowed: () => ruled({ type: 'vendors', allow: ['a.com'] }),
  category_blocked: () => ruled({ type: 'categories', block: ['llm'] }),
  category_not_allowed: () => ruled({ type: 'categories', allow: ['search'] }),
  category_required: () => ({
    ...ruled({ type: 'categories', allow: ['llm'] }),
    spend: { category: null },
  }),
  amount_below_min: () => ruled({ type: 'amount', min: 11 }),
  amount_above_max: () => ruled({ type: 'amount', max: 9 }),
  outside_schedule: () => ruled({ type: 'schedule', windows: [{ from: '08:00', to: '11:00' }] }),
  limit_count_exceeded: () => spentOnce({ type: 'limit', maxCount: 1, window: '1h' }),
  limit_amount_exceeded: () => spentOnce({ type: 'limit', maxAmount: 15, window: '1h' }),
  duplicate_transaction: () => spentOnce({ type: 'duplicate', window: '10m' }),
  new_vendor: () => ruled({ type: 'new_vendor' }),
  price_drift: () => ({
    ...spentOnce({ type: 'price_drift', maxIncreasePercent: 10 }),
    spend: { amount: units(12) },
  }),
  expression_false: () => ruled({ type: 'expression', expr: 'local.hour >= 14' }),
  expression_error: () => ruled({ type: 'expression', expr: "agent.tags[9] == 'x'" }),
  approval_required: () => ruled({ type: 'approval' }),
  approval_rejected: () => presented('rejected'),
  approval_expired: () => presented('expired'),
  // The schema refuses such a window; a row that holds one all the same must not let a spend pass.
  rule_error: () => ruled({ type: 'limit', maxCount: 1, window: 'never' }),
  budget_exceeded: () => ({
    desk: createDesk({ budgetPeriod: 'daily', spent: units(95) }),
  }),
  parent_budget_exceeded: () => ({
    desk: createDesk({}, { budgetPeriod: 'daily', spent: units(95) }),
  }),
}

/** The codes that only another part gives, each with the test of that part that comes to it. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  deadline_passed: 'gateway/deadline.test.ts',
  recorded: 'gateway/record.test.ts',
  past_being_counted: 'gateway/long-past.deep.test.ts',
  vendor_history_incomplete: 'gateway/long-vendor-past.deep.test.ts',
}

const judged = DECISION_CODES.filter(({ code }) => !(code in ELSEWHERE))

describe('the list of codes', () => {
  test('declares each code once', () => {
    const codes = DECISION_CODES.map(({ code }) => code)
    expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([])
  })

  test('names every code by itself, in snake_case', () => {
    for (const { codes } of CODE_SOURCES) {
      expect(Object.keys(codes)).toEqual(Object.values(codes).map(({ code }) => code))
    }
    expect(DECISION_CODES.filter(({ code }) => !/^[a-z]+(_[a-z]+)*$/.test(code))).toEqual([])
  })

  test('says in sentences what each means and what to do', () => {
    const texts = DECISION_CODES.flatMap(({ meaning, action }) => [meaning, action])
    expect(texts.filter((text) => !/^[A-Z].*\.$/.test(text))).toEqual([])
  })

  test('is the only maker of codes: another text does not compile', () => {
    // @ts-expect-error A text is no code until it is declared.
    const madeUp: DecisionCode = 'made_up'
    expect(DECISION_CODES.map(({ code }) => code)).not.toContain(madeUp)
  })

  test('knows the codes of the sample of a rejection', () => {
    const known = DECISION_CODES.map(({ code }) => code)
    expect(SAMPLES['transaction.rejected']).toMatchObject({
      code: expect.toBeOneOf(known),
      reasons: [{ code: expect.toBeOneOf(known) }],
    })
  })

  test('holds exactly the codes for which a scene is known, here or in the test of another part', () => {
    const codes: readonly string[] = DECISION_CODES.map(({ code }) => code)
    const known = [...Object.keys(SCENES), ...Object.keys(ELSEWHERE)]
    expect(codes.toSorted()).toEqual(known.sort())
    for (const [code, file] of Object.entries(ELSEWHERE)) {
      expect(readFileSync(resolve(TESTS, file), 'utf8')).toContain(`'${code}'`)
    }
  })
})

describe.each(judged)('$code', ({ code, repeat }) => {
  test('is what a spend gets', () => {
    expect(sceneOf(code).decision.code).toBe(code)
  })

  test(`is helped by waiting: ${repeat === 'later'}`, () => {
    const { desk, spend, decision } = sceneOf(code)
    const { retryAfter } = decision.details.next
    expect(retryAfter !== null).toBe(repeat === 'later')
    if (retryAfter !== null) {
      expect(desk.ask(spend, Date.parse(retryAfter)).code).toBe('approved')
    }
  })
})

test.each<[string, RuleInput, Partial<Spend>]>([
  ['vendors', { type: 'vendors', block: ['a.com'] }, { payee: CLAIMED }],
  ['limit', { type: 'limit', maxCount: 1, window: '1h', groupBy: 'category' }, { category: null }],
])('a code that the rule %s shares with others is the same there', (type, rule, spend) => {
  const decision = createDesk({ rules: [rule] }).ask(spend)
  expect(Object.values(sharedCodes).map(({ code }) => code)).toContain(decision.code)
  expect(Object.keys(codesOf(type))).toContain(decision.code)
})

test('an effect that asks for a person is told as approval_required, and its reason in the finding', () => {
  const { desk } = ruled({ type: 'amount', max: 9, effect: 'require_approval' })
  const { code, details } = desk.ask()
  expect(code).toBe(sharedCodes.approval_required.code)
  expect(details.rules[0]?.code).toBe('amount_above_max')
})

test('no decision and no finding has a code that its source does not declare', () => {
  const declared = new Set(DECISION_CODES.map(({ code }) => code))
  fc.assert(
    fc.property(situations('any'), ({ desk, spend, now }) => {
      const { code, details } = desk.ask(spend, now)
      expect(declared).toContain(code)
      for (const finding of details.rules) {
        const known = [null, 'rule_error', ...Object.keys(codesOf(finding.type))]
        expect(known).toContain(finding.code)
      }
    }),
    { numRuns: runsOf(50, 200) },
  )
})

test('a time to wait for is named only when the first failure is one that waiting can help', () => {
  const helped: readonly string[] = DECISION_CODES.filter(({ repeat }) => repeat === 'later').map(
    ({ code }) => code,
  )
  fc.assert(
    fc.property(situations('any'), ({ desk, spend, now }) => {
      const { code, details } = desk.ask(spend, now)
      const first = details.rules.find(({ id }) => id === details.firstFailure)?.code ?? code
      if (details.next.retryAfter !== null) expect(helped).toContain(first)
    }),
    { numRuns: runsOf(50, 200) },
  )
})

function sceneOf(code: string): Required<Scene> & { readonly decision: Decision } {
  const scene = SCENES[code]
  assert(scene, `no scene for ${code}`)
  const { desk, spend = {} } = scene()
  return { desk, spend, decision: desk.ask(spend) }
}

function ruled(...rules: readonly RuleInput[]): Scene {
  return { desk: createDesk({ rules }) }
}

/** After one spend that was approved. */
function spentOnce(...rules: readonly RuleInput[]): Scene {
  const { desk } = ruled(...rules)
  desk.spend()
  return { desk }
}

/** With an approval for the spend that came to this end. */
function presented(status: ApprovalStatus): Scene {
  const { desk } = ruled({ type: 'approval' })
  const { spend, question } = desk.ask()
  const { vendor, category, path, amount: maxAmount } = spend
  const about = { vendor, category, path, payee: null, cardId: null, maxAmount, currency: 'USD' }
  const { lifts = [] } = question ?? {}
  const permit = { approvalId: NO_APPROVAL, status, expiresAt: NOON + 1, ...about, lifts }
  desk.account = { ...desk.account, permit }
  return { desk }
}

const NO_APPROVAL = '0198c5a0-0000-7000-b000-000000000001'

function accountOf(change: Partial<Desk['account']>, mandate: DeskMandate = {}): Scene {
  const desk = createDesk(mandate)
  desk.account = { ...desk.account, ...change }
  return { desk }
}

function codesOf(type: string): Codes {
  return RULES.find((rule) => rule.type === type)?.codes ?? budgetCodes
}
