import { createHash } from 'node:crypto'
import type { Counter } from '../../../src/core/counters/counter.ts'
import type { Account, MandateAccount, VendorHistory } from '../../../src/core/decision/account.ts'
import { type Decision, decide, record } from '../../../src/core/decision/decide.ts'
import type { MandateTerms } from '../../../src/core/mandates/mandate.ts'
import { compilePolicy } from '../../../src/core/mandates/policy.ts'
import {
  decisionInputs,
  hashOf,
  type Judging,
  watchAccount,
} from '../../../src/core/replay/inputs.ts'
import { type RuleInput, toRules } from '../../../src/core/rules/rule-set.ts'
import type { Spend } from '../../../src/core/spend.ts'
import { createRandom, type Random } from '../../support/random.ts'
import { agentId, mandateId, NOON, someCard, someSpend } from '../desk.ts'
import { someTerms } from '../some-terms.ts'

/** Decisions of every kind, made from a seed: what the golden file is written from. */

export interface GoldenFile {
  readonly engine: number
  readonly policies: readonly GoldenPolicy[]
  readonly decisions: readonly GoldenDecision[]
}

interface GoldenPolicy {
  readonly mandateId: string
  readonly version: number
  readonly hash: string
  readonly terms: Omit<MandateTerms, 'budgetTotal'> & { readonly budgetTotal: string }
}

export type GoldenDecision = readonly [
  spend: Pick<Spend, 'path' | 'vendor' | 'category' | 'reference'>,
  at: number,
  inputs: string,
  inputsHash: string,
  answer: string,
]

const LIVES = 40
const SPENDS_PER_LIFE = 25

const RULES: readonly RuleInput[] = [
  { type: 'amount', max: 50 },
  { type: 'amount', min: 2, effect: 'flag' },
  { type: 'vendors', allow: ['*.example.com', 'api.openai.com'], block: ['ads.example.com'] },
  { type: 'limit', maxCount: 6, maxAmount: 150, window: '1h' },
  { type: 'limit', groupBy: 'vendor', maxAmount: 120, window: 'day', effect: 'require_approval' },
  { type: 'limit', match: { category: 'search' }, maxAmount: 60, window: 'period' },
  { type: 'categories', block: ['gambling'] },
  { type: 'paths', allow: ['evaluate', 'card', 'x402'] },
  { type: 'schedule', windows: [{ from: '08:00', to: '18:00' }], timezone: 'Europe/Berlin' },
  { type: 'approval', above: 40 },
  { type: 'price_drift', maxIncreasePercent: 80 },
  { type: 'new_vendor', effect: 'flag' },
  { type: 'duplicate', window: '10m', match: ['vendor', 'amount', 'reference'] },
  { type: 'expression', expr: "!('slow' in agent.tags) || spent.day + amount < money('90')" },
  { type: 'new_vendor', id: 'unpaid', effect: 'require_approval' },
  { type: 'expression', expr: 'count.hour < 5 || local.hour < 14', effect: 'flag' },
]

export function goldenFile(engine: number): GoldenFile {
  const random = createRandom(20_261_116)
  const lives = Array.from({ length: LIVES }, (_, life) => aLife(random, life + 1))
  return {
    engine,
    policies: lives.flatMap(({ mandates }) => mandates.map(toGoldenPolicy)),
    decisions: lives.flatMap(({ decisions }) => decisions),
  }
}

/** Everything that is answered, and what is stored beside it, in a few letters. */
export function answerOf(decision: Decision): string {
  const { status, code, message, currency, expiresAt, flaggedBy, details } = decision
  const { remainingBudget, usedApprovalId, spend } = decision
  const told = [decision.decision, status, code, message, currency, String(expiresAt), flaggedBy]
  const booked = [String(remainingBudget), usedApprovalId, String(spend.amount)]
  const text = JSON.stringify([...told, ...booked, details])
  return createHash('sha256').update(text).digest('base64url').slice(0, 16)
}

function aLife(random: Random, version: number) {
  const mandates = Array.from({ length: random.between(1, 2) }, (_, index) =>
    aMandate(random, index, version),
  )
  const memory: Memory = { line: mandates, counters: new Map(), vendors: new Map() }
  let at = NOON
  const decisions = Array.from({ length: SPENDS_PER_LIFE }, (): GoldenDecision => {
    at += random.pick([0, 7_000, 400_000, 5_000_000, 30_000_000])
    const spend = someSpend(aSpend(random))
    const watched = watchAccount(anAccount(random, spend, memory, at))
    const judging: Judging = random.next() < 0.05 ? 'record' : 'decide'
    const decision = (judging === 'record' ? record : decide)(spend, watched.account, at)
    const given = decisionInputs(judging, spend, watched, decision)
    if (!given) throw new Error('The inputs are short.')
    remember(memory, decision)
    const { path, vendor, category, reference } = spend
    return [
      { path, vendor, category, reference },
      at,
      given.text,
      hashOf(spend, at, watched.account.mandates, given.text),
      answerOf(decision),
    ]
  })
  return { mandates, decisions }
}

/** What the next decision of a life is made from. */
interface Memory {
  line: readonly MandateAccount[]
  readonly counters: Map<string, Counter>
  readonly vendors: Map<string, VendorHistory>
}

function remember(memory: Memory, { counters, vendor, spend, mandates }: Decision): void {
  for (const [key, counter] of counters) memory.counters.set(key, counter)
  if (vendor) memory.vendors.set(spend.vendor, vendor)
  memory.line = mandates
}

function anAccount(random: Random, spend: Spend, memory: Memory, at: number): Account {
  const { line, counters, vendors } = memory
  const needsVendor = line.some(({ policy }) => policy.needsVendorHistory)
  return {
    organization: { frozen: random.next() < 0.03 },
    agent: {
      id: spend.agentId,
      status: random.next() < 0.03 ? 'paused' : 'active',
      tags: random.pick([[], ['slow'], ['a "b"', 'slow']]),
    },
    mandates: line,
    usage: {
      counter: (key) => counters.get(key),
      isRead: () => true,
      vendor: needsVendor ? (vendors.get(spend.vendor) ?? anApproved(random, at)) : undefined,
    },
    ...(random.next() < 0.12 && {
      permit: aPermit(spend, random.pick([line, line.slice(0, 1)]), at),
    }),
  }
}

/** A vendor that a person has made known, mostly up to an amount, and that was never paid. */
function anApproved(random: Random, at: number): VendorHistory | undefined {
  if (random.next() < 0.5) return undefined
  const approvedAmount = random.pick([null, 5_000_000n, 12_500_000n, 30_000_000n])
  return { firstAt: at - 1_000, lastAmount: null, approvedAmount }
}

function aMandate(random: Random, index: number, version: number): MandateAccount {
  const rules = RULES.filter(() => random.next() < (index === 0 ? 0.3 : 0.1))
  const validUntil = random.next() < 0.1 ? NOON + 20_000_000 : null
  const terms = someTerms({
    rules: toRules(rules),
    budgetPeriod: random.pick(['none', 'daily', 'monthly']),
    timezone: random.pick(['UTC', 'America/New_York']),
    budgetTotal: BigInt(random.between(60, 300)) * 1_000_000n,
    validUntil,
  })
  const hash = `policy ${index} of ${version}`
  const policy = compilePolicy({ mandateId: mandateId(index), version, hash, terms })
  const { budgetTotal } = terms
  const status = random.next() < 0.03 ? 'revoked' : 'active'
  const figures = { spent: 0n, held: 0n, overdrawn: 0n, periodStart: null }
  return { policy, agentId: agentId(index), status, budgetTotal, ...figures }
}

function aSpend(random: Random): Partial<Spend> {
  const common = {
    amount: BigInt(random.pick([0.000001, 1, 5, 12.5, 30, 45, 80]) * 1e6),
    vendor: random.pick(['api.openai.com', 'a.example.com', 'ads.example.com', 'other.org']),
    category: random.pick(['llm', 'search', 'gambling']),
    reference: random.pick([null, 'r-1', 'r\n“2”']),
    currency: random.pick([null, null, 'USD', 'EUR']),
    holdMs: random.pick([null, null, 60_000, Number.POSITIVE_INFINITY]),
  }
  const kind = random.next()
  if (kind < 0.7) return common
  if (kind < 0.85) {
    const assurance = random.pick(['payto_pinned', 'gateway_observed', 'agent_claimed'] as const)
    const mismatch = random.next() < 0.2 ? 'It is the address of another vendor.' : null
    const payee = { network: 'eip155:8453', address: '0x01', assurance, mismatch }
    return { ...common, path: 'x402', payee }
  }
  const isCheck = random.next() < 0.2
  const card = someCard({
    highRisk: random.pick([null, null, 'gambling']),
    partialUnit: random.pick([null, 10_000n]),
    total: random.next() < 0.2 ? common.amount + 20_000_000n : null,
    stop: random.pick([null, null, null, 'card_paused']),
  })
  return { ...common, path: 'card', category: null, amount: isCheck ? 0n : common.amount, card }
}

/** An approval for the spend, mostly of the rules that ask. */
function aPermit(spend: Spend, line: readonly MandateAccount[], at: number) {
  return {
    approvalId: '0198c5a0-0000-7000-8000-0000000000cc',
    status: 'approved' as const,
    expiresAt: at + (spend.reference === null ? 60_000 : 0),
    vendor: spend.vendor,
    category: spend.category,
    path: spend.path,
    payee: spend.payee?.address ?? null,
    cardId: spend.card?.cardId ?? null,
    maxAmount: 60_000_000n,
    currency: 'USD',
    lifts: line.flatMap(({ policy }) =>
      policy.rules.flatMap(({ id, asking }) =>
        asking
          ? [{ mandateId: policy.mandateId, ruleId: id, settingsHash: asking.settingsHash }]
          : [],
      ),
    ),
  }
}

function toGoldenPolicy({ policy }: MandateAccount): GoldenPolicy {
  const { mandateId, version, hash, terms } = policy
  return { mandateId, version, hash, terms: { ...terms, budgetTotal: String(terms.budgetTotal) } }
}
