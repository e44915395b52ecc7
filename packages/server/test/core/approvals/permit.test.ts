import { describe, expect, test } from 'vitest'
import type { Permit } from '../../../src/core/approvals/permit.ts'
import { digestOf, toApprovalUrl } from '../../../src/core/approvals/request.ts'
import type { Decision } from '../../../src/core/decision/decide.ts'
import type { RuleInput } from '../../../src/core/rules/rule-set.ts'
import type { KnownPayee, Spend } from '../../../src/core/spend.ts'
import {
  createDesk,
  type Desk,
  type DeskMandate,
  NOON,
  someCard,
  someSpend,
  units,
} from '../desk.ts'

const APPROVAL = '0198c5a0-0000-7000-b000-000000000001'
const ASKS: RuleInput = { type: 'approval', above: 5 }
const CLAIMED: KnownPayee = {
  network: 'eip155:8453',
  address: `0x${'ab'.repeat(20)}`,
  assurance: 'agent_claimed',
  mismatch: null,
}

/** The permit that a person gives for what the spend asks. */
function permitFor(decision: Decision, change: Partial<Permit> = {}): Permit {
  const { spend, question, currency } = decision
  return {
    approvalId: APPROVAL,
    status: 'approved',
    expiresAt: NOON + 60_000,
    vendor: spend.vendor,
    category: spend.category,
    path: spend.path,
    payee: spend.payee?.address ?? null,
    cardId: spend.card?.cardId ?? null,
    maxAmount: spend.amount,
    currency: currency ?? 'USD',
    lifts: question?.lifts ?? [],
    ...change,
  }
}

/** A desk at which a person has approved what the spend asks. */
function approvedDesk(
  mandates: readonly DeskMandate[],
  spend: Partial<Spend> = {},
  change: Partial<Permit> = {},
): Desk {
  const desk = createDesk(...mandates)
  return withPermit(desk, permitFor(desk.ask(spend), change))
}

function withPermit(desk: Desk, permit: Permit): Desk {
  desk.account = { ...desk.account, permit }
  return desk
}

describe('a permit', () => {
  test('lifts the rule that asked, and the approved spend names it', () => {
    const decision = approvedDesk([{ rules: [ASKS] }]).ask()
    expect(decision).toMatchObject({ decision: 'approved', usedApprovalId: APPROVAL })
    const [finding] = decision.details.rules
    expect(finding).toMatchObject({ outcome: 'pass', code: null })
    expect(finding?.message).toContain('Approval apr_0198c5a000007000b000000000000001 allows it.')
  })

  test('lifts a rule that is inherited as well', () => {
    const decision = approvedDesk([{}, { rules: [ASKS] }]).ask()
    expect(decision).toMatchObject({ decision: 'approved', usedApprovalId: APPROVAL })
  })

  test('lifts no rule of the same name in another mandate', () => {
    const own = createDesk({ rules: [ASKS] }, {})
    const both = createDesk({ rules: [ASKS] }, { rules: [ASKS] })
    const decision = withPermit(both, permitFor(own.ask())).ask()
    expect(decision).toMatchObject({ code: 'approval_required', usedApprovalId: null })
  })

  test.each<[string, readonly DeskMandate[]]>([
    ['its own mandate', [{ rules: [ASKS] }, {}]],
    ['the mandate above', [{}, { rules: [ASKS] }]],
  ])('that was given for %s alone asks for both in one request', (_, then) => {
    const both = createDesk({ rules: [ASKS] }, { rules: [ASKS] })
    const unpresented = both.ask()
    const decision = withPermit(both, permitFor(createDesk(...then).ask())).ask()
    expect(decision).toMatchObject({ code: 'approval_required', usedApprovalId: null })
    expect(decision.details.failed).toEqual(unpresented.details.failed)
    expect(decision.question?.lifts).toEqual(unpresented.question?.lifts)
    expect(decision.question?.lifts).toHaveLength(2)
    expect(decision.question?.findings.map(({ outcome }) => outcome)).toEqual([
      'escalate',
      'escalate',
    ])
    expect(withPermit(both, permitFor(decision)).ask().decision).toBe('approved')
  })

  test('that was given for one rule keeps saying so where a rule rejects', () => {
    const asked = createDesk({ rules: [ASKS] }, {}).ask()
    const desk = createDesk({ rules: [ASKS, { type: 'amount', max: 9 }] }, { rules: [ASKS] })
    const decision = withPermit(desk, permitFor(asked)).ask()
    expect(decision).toMatchObject({ code: 'amount_above_max', question: null })
    const ofRule = decision.details.rules.filter(({ type }) => type === 'approval')
    expect(ofRule.map(({ outcome }) => outcome)).toEqual(['pass', 'escalate'])
  })

  test.each<[string, DeskMandate]>([
    ['a budget', { rules: [ASKS], spent: units(95) }],
    ['another rule', { rules: [ASKS, { type: 'amount', max: 9 }] }],
    ['a limit', { rules: [ASKS, { type: 'limit', maxAmount: 9, window: '1h' }] }],
  ])('never lifts %s, and is not used up', (_, mandate) => {
    const asked = createDesk({ rules: [ASKS] }).ask()
    const decision = withPermit(createDesk(mandate), permitFor(asked)).ask()
    expect(decision).toMatchObject({ decision: 'rejected', usedApprovalId: null, question: null })
    expect(decision.code).not.toBe('approval_required')
  })

  test.each<[string, DeskMandate]>([
    ['setting', { rules: [{ type: 'approval', above: 6 }] }],
    ['time to wait', { rules: [{ type: 'approval', above: 5, expiresIn: '1h' }] }],
    ['zone of the mandate', { rules: [ASKS], timezone: 'Europe/Berlin' }],
  ])('does not lift a rule that has another %s by now', (_, mandate) => {
    const asked = createDesk({ rules: [ASKS] }).ask()
    const decision = withPermit(createDesk(mandate), permitFor(asked)).ask()
    expect(decision.code).toBe('approval_required')
    expect(decision.message).toContain('does not cover this rule in its current form')
    expect(decision.question).not.toBeNull()
  })

  test.each<[string, Partial<Spend>]>([
    ['a different vendor', { vendor: 'other.com' }],
    ['a different category', { category: 'search' }],
    ['a different payment path', { path: 'x402' }],
    ['a different card', { path: 'evaluate', card: someCard({ cardId: 'other' }) }],
    ['a different currency', { currency: 'USDC' }],
    ['at most 10 USD', { amount: units(10) + 1n }],
    ['a different payee address', { payee: CLAIMED }],
    ['a new purchase', { card: someCard({ total: units(30) }) }],
  ])('does not cover a spend when it is for %s', (what, change) => {
    const decision = approvedDesk([{ rules: [ASKS] }]).ask(change)
    expect(decision).toMatchObject({ code: 'approval_required', usedApprovalId: null })
    expect(decision.message).toContain(`is for ${what}`)
    expect(decision.question?.waitingFor ?? null).toBeNull()
  })

  test('covers a smaller amount, and one that names the currency', () => {
    const desk = approvedDesk([{ rules: [ASKS] }])
    expect(desk.ask({ amount: units(9) }).decision).toBe('approved')
    expect(desk.ask({ currency: 'USD' }).decision).toBe('approved')
  })

  test('covers an address that only the agent names, if a person was shown it', () => {
    const desk = approvedDesk([{ rules: [ASKS] }], { payee: CLAIMED })
    expect(desk.ask({ payee: CLAIMED }).decision).toBe('approved')
    const other = { ...CLAIMED, address: `0x${'cd'.repeat(20)}` }
    expect(desk.ask({ payee: other }).decision).toBe('rejected')
    expect(desk.ask({ payee: { ...other, assurance: 'payto_pinned' } }).decision).toBe('approved')
  })

  test('is used up by the spend that it covers, even if no rule asks any more', () => {
    const asked = createDesk({ rules: [ASKS] }).ask()
    const decision = withPermit(createDesk({}), permitFor(asked)).ask()
    expect(decision).toMatchObject({ decision: 'approved', usedApprovalId: APPROVAL })
  })

  test.each<[string, Partial<Permit>, boolean]>([
    ['approval_rejected', { status: 'rejected' }, false],
    ['approval_expired', { status: 'expired' }, false],
    ['approval_expired', { expiresAt: NOON }, false],
    ['approval_expired', { status: 'pending', expiresAt: NOON }, false],
    ['approval_required', { status: 'used' }, true],
  ])('that does not stand any more is told as %s', (code, change, asksAgain) => {
    const decision = approvedDesk([{ rules: [ASKS] }], {}, change).ask()
    expect(decision).toMatchObject({ decision: 'rejected', code, usedApprovalId: null })
    expect(decision.question !== null).toBe(asksAgain)
    expect(decision.question?.waitingFor ?? null).toBeNull()
  })

  test('that nobody has answered yet is not asked for once more', () => {
    const decision = approvedDesk([{ rules: [ASKS] }], {}, { status: 'pending' }).ask()
    expect(decision.code).toBe('approval_required')
    expect(decision.question?.waitingFor).toBe(APPROVAL)
  })

  test('does not make a rejection by another rule look like its own', () => {
    const mandate = { rules: [ASKS, { type: 'amount', max: 9 } as const] }
    const desk = approvedDesk([mandate], {}, { status: 'rejected' })
    expect(desk.ask()).toMatchObject({ code: 'amount_above_max', question: null })
  })
})

describe('a person is asked', () => {
  test('only when every finding in the way asks for one', () => {
    const ask = (...rules: readonly RuleInput[]) => createDesk({ rules }).ask().question
    expect(ask(ASKS)).not.toBeNull()
    expect(ask(ASKS, { type: 'new_vendor', effect: 'require_approval' })?.lifts).toHaveLength(2)
    expect(ask(ASKS, { type: 'amount', max: 9, effect: 'flag' })).not.toBeNull()
    expect(ask(ASKS, { type: 'amount', max: 9 })).toBeNull()
    expect(createDesk({ rules: [ASKS], spent: units(95) }).ask().question).toBeNull()
    expect(createDesk({ rules: [ASKS], status: 'revoked' }).ask().question).toBeNull()
    expect(createDesk({}).ask().question).toBeNull()
  })

  test('only if an approval can name every rule that asks', () => {
    const unnamed: RuleInput = { type: 'approval', expiresIn: 'never' }
    for (const rules of [[unnamed], [ASKS, unnamed]]) {
      const { code, question } = createDesk({ rules }).ask()
      expect([code, question]).toEqual(['approval_required', null])
    }
  })

  test('for the shortest time that one of the asking rules allows', () => {
    const rules: RuleInput[] = [
      { type: 'approval', expiresIn: '2h' },
      { type: 'approval', above: 1, expiresIn: '10m' },
      { type: 'approval', above: 50, expiresIn: '1m' },
    ]
    expect(createDesk({ rules }).ask().question?.waitsMs).toBe(600_000)
  })

  test('never about more of a purchase, nor about the check of a card', () => {
    const rules: RuleInput[] = [{ type: 'vendors', allow: ['a.com'], effect: 'require_approval' }]
    const ask = (change: Partial<Spend>) => createDesk({ rules }).ask(change).question
    expect(ask({ path: 'card', card: someCard() })).not.toBeNull()
    expect(ask({ path: 'card', card: someCard({ total: units(30) }) })).toBeNull()
    expect(ask({ path: 'card', card: someCard(), amount: 0n })).toBeNull()
  })

  test('and not asked for a part, where a part of a card purchase would pass', () => {
    const card = someCard({ partialUnit: 10_000n })
    const desk = createDesk({ rules: [ASKS] })
    const decision = desk.ask({ path: 'card', card })
    expect(decision.decision).toBe('rejected')
    expect(decision.question).not.toBeNull()
  })
})

test('nothing is approved in part where a person has allowed a whole purchase', () => {
  const card = someCard({ partialUnit: 10_000n })
  const purchase = { path: 'card', card } as const
  const asked = createDesk({ rules: [ASKS] }).ask(purchase)
  const poor = createDesk({ rules: [ASKS], spent: units(92) })
  const decision = withPermit(poor, permitFor(asked)).ask(purchase)
  expect(decision).toMatchObject({ code: 'budget_exceeded', usedApprovalId: null })
  poor.account = { ...poor.account, permit: undefined }
  expect(poor.ask({ ...purchase, amount: units(5) }).decision).toBe('approved')
})

describe('two requests are alike', () => {
  const digest = (change: Partial<Spend>, ...rules: readonly RuleInput[]) => {
    const { question, spend } = createDesk({ rules: [ASKS, ...rules] }).ask(change)
    if (!question) throw new Error('The spend asks nobody.')
    return digestOf(question, spend, 'm', 'USD')
  }

  test('when only what describes the purchase differs', () => {
    expect(digest({ reference: 'a', transactionId: someSpend().agentId })).toBe(digest({}))
  })

  test.each<[string, string]>([
    ['the amount', digest({ amount: units(11) })],
    ['the vendor', digest({ vendor: 'other.com' })],
    ['the category', digest({ category: null })],
    ['the path', digest({ path: 'x402' })],
    ['the card', digest({ card: someCard({ cardId: 'a' }) })],
    ['the address', digest({ payee: CLAIMED })],
    ['what asks', digest({}, { type: 'new_vendor', effect: 'require_approval' })],
  ])('unless %s differs', (_, other) => {
    expect(other).not.toBe(digest({}))
  })
})

test('an approval has a page if the gateway knows its public address', () => {
  const page = 'https://gateway.example.com/approvals/apr_0198c5a000007000b000000000000001'
  expect(toApprovalUrl('https://gateway.example.com', APPROVAL)).toBe(page)
  expect(toApprovalUrl(undefined, APPROVAL)).toBeNull()
})
