import { describe, expect, test } from 'vitest'
import type { Account } from '../../../src/core/decision/account.ts'
import { decide } from '../../../src/core/decision/decide.ts'
import { compilePolicy } from '../../../src/core/mandates/policy.ts'
import type { Spend } from '../../../src/core/spend.ts'
import { endsByItself, transactionStatusAt } from '../../../src/core/transaction.ts'
import { createDesk, type Desk, mandateId, NOON, someCard, someSpend, units } from '../desk.ts'
import { someTerms } from '../some-terms.ts'

const PARENT = 'mnd_0198c5a000007000a000000000000001'

describe('a closed gate ends the evaluation', () => {
  const frozen = (desk: Desk): Account => ({ ...desk.account, organization: { frozen: true } })
  const paused = (desk: Desk): Account => ({
    ...desk.account,
    agent: { ...desk.account.agent, status: 'paused' },
  })
  const cases: [string, Account][] = [
    ['organization_frozen', frozen(createDesk())],
    ['organization_frozen', frozen(createDesk({}))],
    ['agent_paused', paused(createDesk())],
    ['no_active_mandate', createDesk().account],
    ['no_active_mandate', createDesk({ status: 'revoked' }).account],
    ['no_active_mandate', createDesk({}, { status: 'revoked' }).account],
    ['no_active_mandate', createDesk({ status: 'draft', validFrom: NOON + 1 }).account],
    ['mandate_not_started', createDesk({ validFrom: NOON + 1 }).account],
    ['mandate_not_started', createDesk({}, { validFrom: NOON + 1 }).account],
    ['mandate_expired', createDesk({ validUntil: NOON }).account],
    ['mandate_expired', createDesk({}, { validUntil: NOON }).account],
    ['mandate_expired', createDesk({ status: 'expired' }).account],
    ['currency_mismatch', createDesk({ currency: 'EUR' }).account],
  ]

  test.each(cases)('with %s', (code, account) => {
    const decision = decide(someSpend({ currency: 'USD' }), account, NOON)
    expect(decision).toMatchObject({ decision: 'rejected', status: 'rejected', code })
    expect(decision.details.rules).toEqual([])
    expect(decision.budgetEvents).toEqual([])
    expect(decision.mandates).toBe(account.mandates)
  })

  test('but the first and the last instant of a mandate belong to it', () => {
    const desk = createDesk({ validFrom: NOON, validUntil: NOON + 1 })
    expect(desk.ask().code).toBe('approved')
  })

  test('and the decision names no mandate when none is active', () => {
    const decision = createDesk({ status: 'revoked' }).ask()
    expect(decision).toMatchObject({ mandateId: null, mandateVersion: null, policyHash: null })
    expect(decision).toMatchObject({ remainingBudget: 0n, currency: null })
    expect(decision.details.budget).toBeNull()
  })
})

describe('an approved spend', () => {
  test('answers exactly what the API promises, in its order', () => {
    const desk = createDesk({ rules: [{ type: 'amount', max: 50 }], budgetPeriod: 'daily' })
    const { details } = desk.spend({ amount: units(50) })
    expect(JSON.stringify(details)).toBe(
      JSON.stringify({
        code: 'approved',
        message: 'The spend is approved.',
        mandateVersion: 3,
        policyHash: 'sha256:x',
        evaluatedAt: '2026-10-15T12:00:00.000Z',
        path: 'evaluate',
        firstFailure: null,
        failed: [],
        rules: [
          {
            id: 'amount',
            type: 'amount',
            outcome: 'pass',
            code: null,
            observed: 50,
            limit: 50,
            window: null,
            message: 'The amount is within its bounds.',
          },
          {
            id: 'budget',
            type: 'budget',
            outcome: 'pass',
            code: null,
            observed: 50,
            limit: 100,
            window: 'daily',
            message: 'The budget covers the spend.',
          },
        ],
        budget: {
          total: 100,
          spentBefore: 0,
          remaining: 50,
          percentUsed: 50,
          periodEnd: '2026-10-16T00:00:00.000Z',
        },
        approval: null,
        next: { maxAmountNow: null, maxAmountWithApproval: null, retryAfter: null },
      }),
    )
  })

  test('that is a hold says when it ends, and is held', () => {
    const decision = createDesk({}).spend({ holdMs: 60_000 })
    expect(decision).toMatchObject({ status: 'held', expiresAt: NOON + 60_000 })
    expect(decision.mandates[0]).toMatchObject({ spent: units(10), held: units(10) })
  })

  test('that is an open hold never ends by itself', () => {
    const decision = createDesk({}).spend({ holdMs: Number.POSITIVE_INFINITY })
    expect(decision).toMatchObject({ status: 'held', expiresAt: Number.POSITIVE_INFINITY })
    expect(transactionStatusAt(decision, Number.MAX_SAFE_INTEGER)).toBe('held')
    expect(endsByItself(decision)).toBe(false)
  })

  test('may use up the budget to the last micro, and not one more', () => {
    const desk = createDesk({})
    expect(desk.ask({ amount: units(100) + 1n }).code).toBe('budget_exceeded')
    expect(desk.spend({ amount: units(100) }).code).toBe('approved')
    expect(desk.ask({ amount: 1n }).code).toBe('budget_exceeded')
  })

  test('starts from nothing when the period is over', () => {
    const desk = createDesk({ budgetPeriod: 'daily' })
    desk.spend({ amount: units(100) })
    const midnight = Date.parse('2026-10-16T00:00Z')
    expect(desk.ask({}, midnight - 1).code).toBe('budget_exceeded')
    expect(desk.ask({}, midnight).remainingBudget).toBe(units(90))
  })

  test('is counted once where two rules count the same', () => {
    const limit = { type: 'limit', window: '1h' } as const
    const desk = createDesk({
      rules: [
        { ...limit, maxCount: 2 },
        { ...limit, window: '60m', maxAmount: 30 },
      ],
    })
    expect(desk.spend().counters.size).toBe(1)
    expect(desk.spend().code).toBe('approved')
    expect(desk.spend().details.failed).toEqual(['limit'])
  })
})

describe('the findings', () => {
  const desk = createDesk(
    {
      rules: [
        { type: 'amount', id: 'second', max: 1 },
        { type: 'amount', id: 'third', max: 2, effect: 'flag' },
        { type: 'paths', id: 'first', allow: ['card'], effect: 'require_approval' },
      ],
    },
    { rules: [{ type: 'vendors', allow: ['example.com'] }], budgetTotal: units(5) },
  )

  test('are in the order of the catalogue, own ones first, and nothing is left out', () => {
    const { rules } = desk.ask().details
    expect(rules.map(({ id, outcome, code }) => [id, outcome, code])).toEqual([
      ['first', 'escalate', 'path_not_allowed'],
      ['second', 'fail', 'amount_above_max'],
      ['third', 'flag', 'amount_above_max'],
      [`${PARENT}/vendors`, 'fail', 'vendor_not_allowed'],
      ['budget', 'pass', null],
      [`${PARENT}/budget`, 'fail', 'parent_budget_exceeded'],
    ])
  })

  test('give the first rejection as the code, before what asks for a person', () => {
    const { code, details } = desk.ask()
    expect(code).toBe('amount_above_max')
    expect(details.firstFailure).toBe('second')
    expect(details.failed).toEqual(['first', 'second', `${PARENT}/vendors`, `${PARENT}/budget`])
  })

  test('ask for a person when nothing rejects', () => {
    const rules = [{ type: 'paths', allow: ['card'], effect: 'require_approval' }] as const
    const decision = createDesk({ rules }).ask()
    expect(decision).toMatchObject({ decision: 'rejected', code: 'approval_required' })
    expect(decision.details).toMatchObject({ firstFailure: 'paths', approval: null })
  })

  test('that flag do not reject', () => {
    const decision = createDesk({ rules: [{ type: 'amount', max: 1, effect: 'flag' }] }).ask()
    expect(decision).toMatchObject({ decision: 'approved', code: 'approved' })
    expect(decision.message).toBe('The spend is approved, and flagged by: amount.')
    expect(decision.details.failed).toEqual([])
  })
})

describe('a mandate above', () => {
  test('is drawn on together with the own one, and the least that is left is told', () => {
    const desk = createDesk({}, { budgetTotal: units(40) }, { budgetTotal: units(500) })
    const decision = desk.spend()
    expect(decision.mandates.map(({ spent }) => spent)).toEqual([units(10), units(10), units(10)])
    expect(decision.remainingBudget).toBe(units(30))
  })

  test('counts in its own counters', () => {
    const rules = [{ type: 'limit', maxCount: 1, window: 'day' }] as const
    const desk = createDesk({ rules }, { rules })
    expect(desk.spend().counters.size).toBe(2)
    expect(desk.spend().details.failed).toEqual(['limit', `${PARENT}/limit`])
  })
})

describe('what cannot be judged', () => {
  test('fails when a rule throws', () => {
    const desk = createDesk({ rules: [{ type: 'limit', maxCount: 1, window: 'day' }] })
    const counter = (): never => {
      throw new Error('lost')
    }
    const usage = { counter, isRead: () => true, vendor: undefined }
    const decision = decide(someSpend(), { ...desk.account, usage }, NOON)
    expect(decision).toMatchObject({ decision: 'rejected', code: 'rule_error' })
  })

  test('fails when a rule cannot even be made ready', () => {
    const rule = {
      type: 'limit',
      id: 'limit',
      effect: 'reject',
      maxCount: 1,
      window: 'never',
    } as const
    const terms = someTerms({ rules: [rule] })
    const policy = compilePolicy({ mandateId: 'x', version: 1, hash: 'x', terms })
    const [own] = createDesk({}).account.mandates
    const mandates = own ? [{ ...own, policy }] : []
    const account = { ...createDesk({}).account, mandates }
    expect(decide(someSpend(), account, NOON).code).toBe('rule_error')
  })
})

describe('money that moved without a decision', () => {
  test('is booked on the whole line, even beyond the budget, and counted', () => {
    const rules = [{ type: 'limit', maxAmount: 5, window: '1h' }] as const
    const desk = createDesk({ rules, spent: units(95) }, { spent: units(1) })
    for (const currency of [null, 'USD']) {
      const decision = desk.record({ currency })
      expect(decision).toMatchObject({ decision: 'approved', status: 'settled', code: 'recorded' })
      expect(decision).toMatchObject({ currency: 'USD', usedApprovalId: null })
    }
    expect(desk.account.mandates).toMatchObject([
      { spent: units(115), overdrawn: units(15) },
      { spent: units(21), overdrawn: 0n },
    ])
    const { rules: findings, failed, firstFailure } = desk.record().details
    expect(findings[0]).toMatchObject({ outcome: 'fail', code: 'limit_amount_exceeded' })
    expect([failed, firstFailure]).toEqual([[], null])
  })

  test('in a different currency is recorded in no budget and no counter', () => {
    const desk = createDesk({ rules: [{ type: 'limit', maxAmount: 5, window: '1h' }] })
    const decision = desk.record({ currency: 'EUR' })
    expect(decision).toMatchObject({ mandateId: null, currency: 'EUR', mandates: [] })
    expect([decision.counters.size, decision.remainingBudget]).toEqual([0, 0n])
  })
})

describe('the price that a vendor is known for', () => {
  const rules = [{ type: 'price_drift', maxIncreasePercent: 10 }] as const
  const card = someCard()

  test('is that of the last settled spend, and its first instant stays', () => {
    const desk = createDesk({ rules })
    expect(desk.spend().vendor).toEqual({ firstAt: NOON, lastAmount: units(10) })
    const second = desk.spend({ amount: units(11) }, NOON + 1)
    expect(second.vendor).toEqual({ firstAt: NOON, lastAmount: units(11) })
  })

  test.each<[string, Partial<Spend>]>([
    ['a hold', { holdMs: 60_000 }],
    ['a card check', { amount: 0n, path: 'card', card }],
  ])('does not change with %s', (_, spend) => {
    const { decision, vendor } = createDesk({ rules }).ask(spend)
    expect([decision, vendor]).toEqual(['approved', undefined])
  })

  test('is not stored if no mandate of the line needs it, because it was not read', () => {
    expect(createDesk({}, {}).ask().vendor).toBeUndefined()
    expect(createDesk({}, { rules }).ask().vendor).toBeDefined()
  })
})

describe('a rejection', () => {
  test('names the rest of the budget, the smallest of the line', () => {
    const desk = createDesk({ spent: units(20) }, { spent: units(95) })
    expect(desk.ask()).toMatchObject({ decision: 'rejected', remainingBudget: units(5) })
  })

  test('names the draft of an agent that has no active mandate', () => {
    const { account } = createDesk()
    const agent = { ...account.agent, draftMandateId: mandateId(1) }
    const { details } = decide(someSpend(), { ...account, agent }, NOON)
    expect(details).toMatchObject({ code: 'no_active_mandate', draftMandateId: PARENT })
    expect(decide(someSpend(), account, NOON).details).not.toHaveProperty('draftMandateId')
  })
})
