import { describe, expect, test } from 'vitest'
import type { Counter } from '../../../src/core/counters/counter.ts'
import type { Account, MandateAccount } from '../../../src/core/decision/account.ts'
import { decide } from '../../../src/core/decision/decide.ts'
import { compilePolicy } from '../../../src/core/mandates/policy.ts'
import {
  decisionInputs,
  hashOf,
  type Judging,
  watchAccount,
} from '../../../src/core/replay/inputs.ts'
import { toRules } from '../../../src/core/rules/rule-set.ts'
import type { Spend } from '../../../src/core/spend.ts'
import { agentId, mandateId, NOON, someCard, someSpend, units } from '../desk.ts'
import { someTerms } from '../some-terms.ts'

/** Everything that a decision is made from. */
interface Inputs {
  readonly judging: Judging
  readonly spend: Spend
  readonly account: Account
  readonly at: number
}

const PERMIT = {
  approvalId: '0198c5a0-0000-7000-8000-0000000000cc',
  status: 'approved',
  expiresAt: NOON + 60_000,
  vendor: 'api.openai.com',
  category: 'llm',
  path: 'evaluate',
  payee: null,
  cardId: null,
  maxAmount: units(60),
  currency: 'USD',
  lifts: [],
} as const
const PAYEE = { network: 'eip155:8453', address: '0x01', assurance: 'payto_pinned' } as const
const COUNTER: Counter = {
  buckets: [{ start: NOON, count: 2, amount: units(7) }],
  count: 2,
  amount: units(7),
  expiresAt: NOON + 86_400_000,
}

/** `max` decides whether it is approved, which is kept in another form than a rejection. */
function someInputs(max: number): Inputs {
  const rules = toRules([
    { type: 'amount', max },
    { type: 'limit', maxAmount: 90, window: 'day' },
    { type: 'new_vendor', effect: 'flag' },
  ])
  const figures = { spent: units(3), held: units(1), overdrawn: units(0.5), periodStart: NOON }
  const mandates = [0, 1].map((index): MandateAccount => {
    const id = mandateId(index)
    const terms = someTerms({ rules: index === 0 ? rules : [], budgetPeriod: 'daily' })
    const policy = compilePolicy({ mandateId: id, version: 4, hash: `hash ${index}`, terms })
    const { budgetTotal } = terms
    return { policy, agentId: agentId(index), status: 'active', budgetTotal, ...figures }
  })
  const vendor = { firstAt: NOON - 1_000, lastAmount: units(9) }
  return {
    judging: 'decide',
    at: NOON,
    spend: someSpend({ payee: { ...PAYEE, mismatch: null }, card: someCard() }),
    account: {
      organization: { frozen: false },
      agent: { id: agentId(0), status: 'active', tags: ['slow'] },
      mandates,
      usage: { counter: () => COUNTER, isRead: () => true, vendor, vendorsIncomplete: false },
      permit: PERMIT,
    },
  }
}

function hashOfAll({ judging, spend, account, at }: Inputs): string | undefined {
  const watched = watchAccount(account)
  const given = decisionInputs(judging, spend, watched, decide(spend, watched.account, at))
  return given ? hashOf(spend, at, account.mandates, given.text) : undefined
}

type Change = (inputs: Inputs) => Inputs
const ofSpend =
  (spend: Partial<Spend>): Change =>
  (inputs) => ({
    ...inputs,
    spend: { ...inputs.spend, ...spend },
  })
const ofAccount =
  (account: (before: Account) => Partial<Account>): Change =>
  (inputs) => ({
    ...inputs,
    account: { ...inputs.account, ...account(inputs.account) },
  })
const ofAgent = (agent: Partial<Account['agent']>): Change =>
  ofAccount((before) => ({ agent: { ...before.agent, ...agent } }))
const ofUsage = (usage: Partial<Account['usage']>): Change =>
  ofAccount((before) => ({ usage: { ...before.usage, ...usage } }))
const ofCard = (card: Parameters<typeof someCard>[0]): Change => ofSpend({ card: someCard(card) })
const ofPermit = (permit: object): Change => ofAccount(() => ({ permit: { ...PERMIT, ...permit } }))
const ofMandate = (place: 0 | 1, mandate: (before: MandateAccount) => object): Change =>
  ofAccount(({ mandates }) => ({
    mandates: mandates.map((each, index) =>
      index === place ? { ...each, ...mandate(each) } : each,
    ),
  }))
const ofPolicy = (place: 0 | 1, policy: object): Change =>
  ofMandate(place, (before) => ({ policy: { ...before.policy, ...policy } }))
const counted = (change: Partial<Counter>): Change =>
  ofUsage({ counter: () => ({ ...COUNTER, ...change }) })

const OTHER_ID = '0198c5a0-0000-7000-8000-0000000000ff'

const CHANGES: Readonly<Record<string, Change>> = {
  'which function judged': (inputs) => ({ ...inputs, judging: 'record' }),
  'the instant': (inputs) => ({ ...inputs, at: inputs.at + 1 }),
  'the transaction': ofSpend({ transactionId: OTHER_ID }),
  'the organization': ofSpend({ organizationId: OTHER_ID }),
  'the agent': ofSpend({ agentId: OTHER_ID }),
  'the path': ofSpend({ path: 'acp' }),
  'the amount': ofSpend({ amount: units(10) + 1n }),
  'the currency': ofSpend({ currency: 'USD' }),
  'the vendor': ofSpend({ vendor: 'a.example.com' }),
  'the category': ofSpend({ category: 'search' }),
  'no category': ofSpend({ category: null }),
  'the reference': ofSpend({ reference: '' }),
  'a hold': ofSpend({ holdMs: 60_000 }),
  'a hold without end': ofSpend({ holdMs: Number.POSITIVE_INFINITY }),
  'no payee': ofSpend({ payee: null }),
  'the network': ofSpend({ payee: { ...PAYEE, mismatch: null, network: 'eip155:1' } }),
  'the address': ofSpend({ payee: { ...PAYEE, mismatch: null, address: '0x02' } }),
  'the assurance': ofSpend({ payee: { ...PAYEE, mismatch: null, assurance: 'agent_claimed' } }),
  'a mismatch': ofSpend({ payee: { ...PAYEE, mismatch: 'It is of another vendor.' } }),
  'no card': ofSpend({ card: null }),
  'the card': ofCard({ cardId: OTHER_ID }),
  'the trade': ofCard({ mcc: '7995' }),
  'a high risk': ofCard({ highRisk: 'gambling' }),
  'the total of a purchase': ofCard({ total: units(30) }),
  'parts that may be paid': ofCard({ partialUnit: 10_000n }),
  'a stop of the card': ofCard({ stop: 'card_paused' }),
  'a freeze': ofAccount(() => ({ organization: { frozen: true } })),
  'the status of the agent': ofAgent({ status: 'paused' }),
  'its tags': ofAgent({ tags: ['slow', 'new'] }),
  'its draft': ofAgent({ draftMandateId: OTHER_ID }),
  'no approval': ofAccount(() => ({ permit: undefined })),
  'the approval': ofPermit({ approvalId: OTHER_ID }),
  'its status': ofPermit({ status: 'used' }),
  'its end': ofPermit({ expiresAt: NOON + 60_001 }),
  'its vendor': ofPermit({ vendor: 'a.example.com' }),
  'its category': ofPermit({ category: null }),
  'its path': ofPermit({ path: 'x402' }),
  'its payee': ofPermit({ payee: '0x01' }),
  'its card': ofPermit({ cardId: OTHER_ID }),
  'its amount': ofPermit({ maxAmount: units(60) + 1n }),
  'its currency': ofPermit({ currency: 'EUR' }),
  'what it lifts': ofPermit({ lifts: [{ mandateId: OTHER_ID, ruleId: 'a', settingsHash: 'b' }] }),
  'no vendor history': ofUsage({ vendor: undefined }),
  'since when the vendor is known': ofUsage({ vendor: { firstAt: NOON, lastAmount: units(9) } }),
  'its last price': ofUsage({ vendor: { firstAt: NOON - 1_000, lastAmount: null } }),
  'what was approved there': ofUsage({
    vendor: { firstAt: NOON - 1_000, lastAmount: null, approvedAmount: units(9) },
  }),
  'a history that is not whole': ofUsage({ vendorsIncomplete: true }),
  'no counter': ofUsage({ counter: () => undefined }),
  'what was counted': counted({
    buckets: [{ start: NOON, count: 3, amount: units(7) }],
    count: 3,
  }),
  'what was spent in a window': counted({
    buckets: [{ start: NOON, count: 2, amount: units(7) + 1n }],
    amount: units(7) + 1n,
  }),
  'no mandate above': ofAccount(({ mandates }) => ({ mandates: mandates.slice(0, 1) })),
  'no mandate': ofAccount(() => ({ mandates: [] })),
  'the mandate': ofPolicy(0, { mandateId: OTHER_ID }),
  'its version': ofPolicy(0, { version: 5 }),
  'its terms': ofPolicy(0, { hash: 'another' }),
  'the terms above': ofPolicy(1, { hash: 'another' }),
  'the status of the mandate': ofMandate(0, () => ({ status: 'revoked' })),
  'its budget': ofMandate(0, (before) => ({ budgetTotal: before.budgetTotal + 1n })),
  'what is spent of it': ofMandate(0, (before) => ({ spent: before.spent + 1n })),
  'what is held of it': ofMandate(0, (before) => ({ held: before.held + 1n })),
  'what is overdrawn': ofMandate(0, (before) => ({ overdrawn: before.overdrawn + 1n })),
  'its period': ofMandate(0, () => ({ periodStart: NOON - 1 })),
  'what is spent above': ofMandate(1, (before) => ({ spent: before.spent + 1n })),
}

describe.each([
  ['an approval', 60],
  ['a rejection', 5],
])('the hash of the inputs of %s', (_, max) => {
  const inputs = someInputs(max)
  const hash = hashOfAll(inputs)

  test('is that of the same inputs', () => {
    expect(decide(inputs.spend, inputs.account, NOON).decision).toBe(
      max === 60 ? 'approved' : 'rejected',
    )
    expect(hashOfAll(someInputs(max))).toBe(hash)
  })

  test.each(Object.keys(CHANGES))('is another one with another input: %s', (name) => {
    const other = CHANGES[name]?.(inputs)
    expect(other && hashOfAll(other)).not.toBe(hash)
  })
})
