import assert from 'node:assert/strict'
import { type Counter, fromRow, toRow } from '../../src/core/counters/counter.ts'
import type { Account, MandateAccount, VendorHistory } from '../../src/core/decision/account.ts'
import { type Decision, decide, record } from '../../src/core/decision/decide.ts'
import type { MandateTerms } from '../../src/core/mandates/mandate.ts'
import { compilePolicy, countersOf, needsVendorHistory } from '../../src/core/mandates/policy.ts'
import { type RuleInput, toRules } from '../../src/core/rules/rule-set.ts'
import type { CardSpend, Spend } from '../../src/core/spend.ts'
import { someTerms } from './some-terms.ts'

export const NOON = Date.parse('2026-10-15T12:00Z')

export interface DeskMandate extends Partial<Omit<MandateTerms, 'rules'>> {
  readonly rules?: readonly RuleInput[]
  readonly status?: MandateAccount['status']
  readonly spent?: bigint
}

/** An agent with its mandates and everything that is remembered of it, as the gateway would keep it. */
export interface Desk {
  account: Account
  /** What would be decided; nothing changes. */
  ask(spend?: Partial<Spend>, at?: number): Decision
  /** Decides and books. */
  spend(spend?: Partial<Spend>, at?: number): Decision
  /** Books without asking. */
  record(spend?: Partial<Spend>, at?: number): Decision
}

/** The agent's own mandate first, then those above it. */
export function createDesk(...mandates: readonly DeskMandate[]): Desk {
  const counters = new Map<string, readonly bigint[]>()
  const vendors = new Map<string, VendorHistory>()

  const desk: Desk = {
    account: {
      organization: { frozen: false },
      agent: { id: agentId(0), status: 'active', tags: [] },
      mandates: mandates.map(toAccount),
      usage: { counter: () => undefined, isRead: () => false, vendor: undefined },
    },
    ask(change = {}, at = NOON) {
      const spend = someSpend(change)
      const decision = decide(spend, { ...desk.account, usage: usageFor(spend) }, at)
      if (decision.unread.length === 0) return decision
      const usage = usageFor(spend, decision.unread)
      const { unread, ...complete } = decide(spend, { ...desk.account, usage }, at)
      assert.deepEqual(unread, [], 'what was asked for is enough')
      return { ...complete, unread }
    },
    spend: (change = {}, at = NOON) => book(desk.ask(change, at)),
    record(change = {}, at = NOON) {
      const spend = someSpend(change)
      return book(record(spend, { ...desk.account, usage: usageFor(spend) }, at))
    },
  }

  function book(decision: Decision): Decision {
    desk.account = { ...desk.account, mandates: decision.mandates }
    for (const [key, counter] of decision.counters) counters.set(key, toRow(counter))
    if (decision.vendor) vendors.set(decision.spend.vendor, decision.vendor)
    return decision
  }

  // Only what was asked for is there, as in the gateway: a judge that looks elsewhere is found out.
  function usageFor(spend: Spend, further: readonly string[] = []): Account['usage'] {
    const policies = desk.account.mandates.map(({ policy }) => policy)
    const keys = [...policies.flatMap((policy) => countersOf(policy, spend)), ...further]
    const loaded = new Map<string, Counter>()
    for (const key of keys) {
      const row = counters.get(key)
      if (row) loaded.set(key, fromRow(row))
    }
    const known = policies.some(needsVendorHistory) ? vendors.get(spend.vendor) : undefined
    return {
      counter: (key) => loaded.get(key),
      isRead: (key) => keys.includes(key),
      vendor: known,
    }
  }

  return desk
}

export function someSpend(change: Partial<Spend> = {}): Spend {
  return {
    transactionId: '0198c5a0-0000-7000-8000-0000000000aa',
    organizationId: '0198c5a0-0000-7000-8000-0000000000bb',
    agentId: agentId(0),
    path: 'evaluate',
    amount: 10_000_000n,
    currency: null,
    vendor: 'api.openai.com',
    category: 'llm',
    reference: null,
    payee: null,
    holdMs: null,
    card: null,
    ...change,
  }
}

/** What the network of a card says of a usual purchase. */
export function someCard(change: Partial<CardSpend> = {}): CardSpend {
  return {
    cardId: null,
    mcc: '5734',
    highRisk: null,
    total: null,
    partialUnit: null,
    stop: null,
    ...change,
  }
}

export function units(amount: number): bigint {
  return BigInt(Math.round(amount * 1e6))
}

export function agentId(index: number): string {
  return `0198c5a0-0000-7000-9000-00000000000${index}`
}

export function mandateId(index: number): string {
  return `0198c5a0-0000-7000-a000-00000000000${index}`
}

function toAccount(mandate: DeskMandate, index: number): MandateAccount {
  const { rules = [], status = 'active', spent = 0n, ...change } = mandate
  const terms = someTerms({ ...change, rules: toRules(rules) })
  const policy = compilePolicy({ mandateId: mandateId(index), version: 3, hash: 'sha256:x', terms })
  return {
    policy,
    agentId: agentId(index),
    status,
    budgetTotal: terms.budgetTotal,
    spent,
    held: 0n,
    overdrawn: 0n,
    periodStart: policy.zone.periodAt(terms.budgetPeriod, NOON)?.start ?? null,
  }
}
