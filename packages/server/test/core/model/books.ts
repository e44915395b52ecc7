import assert from 'node:assert/strict'
import { type Counter, correctIn } from '../../../src/core/counters/counter.ts'
import type { MandateAccount, VendorHistory } from '../../../src/core/decision/account.ts'
import { type Decision, decide } from '../../../src/core/decision/decide.ts'
import { rebook } from '../../../src/core/decision/figures.ts'
import { compilePolicy, countersOf, type Policy } from '../../../src/core/mandates/policy.ts'
import type { Spend } from '../../../src/core/spend.ts'
import type { BudgetPeriod } from '../../../src/core/time/period.ts'
import { agentId, mandateId } from '../desk.ts'
import { someTerms } from '../some-terms.ts'
import { RULE_SETS, type RuleSet } from './rule-sets.ts'

/** What was booked for an approved spend, as a gateway would store it with the transaction. */
export interface Booked {
  readonly at: number
  readonly line: readonly number[]
  /** Exactly the counters that hold it, whatever the rules say later. */
  readonly keys: readonly string[]
}

/** The state that the core keeps moving, in place of a database. */
export interface Books {
  readonly accounts: MandateAccount[]
  decide(spend: Spend, line: readonly number[], now: number): Decision
  book(decision: Decision, line: readonly number[]): Booked
  settle(booked: Booked, held: bigint, actual: bigint): void
  void(booked: Booked, held: bigint): void
  refund(booked: Booked, amount: bigint): void
  setRules(mandate: number, ruleSet: RuleSet): void
  setBudget(mandate: number, budgetTotal: bigint): void
}

const POLICIES = new Map<string, Policy>()

export function openBooks(
  mandates: readonly {
    readonly ruleSet: RuleSet
    readonly budgetTotal: bigint
    readonly period: BudgetPeriod
  }[],
): Books {
  const counters = new Map<string, Counter>()
  const vendors = new Map<string, VendorHistory>()
  const accounts = mandates.map(
    ({ ruleSet, budgetTotal, period }, index): MandateAccount => ({
      policy: policyOf(index, ruleSet, period),
      agentId: agentId(index),
      status: 'active',
      budgetTotal,
      spent: 0n,
      held: 0n,
      overdrawn: 0n,
      periodStart: null,
    }),
  )

  const accountAt = (mandate: number): MandateAccount => {
    const account = accounts[mandate]
    assert(account)
    return account
  }
  const change = (line: readonly number[], to: (account: MandateAccount) => MandateAccount) => {
    for (const mandate of line) accounts[mandate] = to(accountAt(mandate))
  }
  const count = (keys: readonly string[], to: (counter: Counter) => Counter) => {
    for (const key of keys) {
      const counter = counters.get(key)
      if (counter) counters.set(key, to(counter))
    }
  }

  return {
    accounts,
    decide(spend, line, now) {
      const lineAccounts = line.map(accountAt)
      const loaded = new Set(lineAccounts.flatMap(({ policy }) => countersOf(policy, spend)))
      const account = {
        organization: { frozen: false },
        agent: { id: spend.agentId, status: 'active', tags: [] },
        mandates: lineAccounts,
        usage: {
          counter: (key: string) => (loaded.has(key) ? counters.get(key) : undefined),
          isRead: (key: string) => loaded.has(key),
          vendor: vendors.get(`${spend.agentId} ${spend.vendor}`),
        },
      } as const
      return decide(spend, account, now)
    },
    book({ spend, mandates: after, counters: counted, vendor, at }, line) {
      line.forEach((mandate, depth) => {
        const account = after[depth]
        if (account) accounts[mandate] = account
      })
      for (const [key, counter] of counted) counters.set(key, counter)
      if (vendor) vendors.set(`${spend.agentId} ${spend.vendor}`, vendor)
      return { at, line, keys: [...counted.keys()] }
    },
    settle({ at, line, keys }, held, actual) {
      const now = at + 1
      change(line, (account) => rebook(account, { at, spent: actual - held, held: -held }, now))
      count(keys, (counter) => correctIn(counter, at, { amount: actual - held, count: 0 }))
    },
    void({ at, line, keys }, held) {
      change(line, (account) => rebook(account, { at, spent: -held, held: -held }, at + 1))
      count(keys, (counter) => correctIn(counter, at, { amount: -held, count: -1 }))
    },
    refund({ at, line }, amount) {
      change(line, (account) => rebook(account, { at, spent: -amount, held: 0n }, at + 1))
    },
    setRules(mandate, ruleSet) {
      const account = accountAt(mandate)
      const policy = policyOf(mandate, ruleSet, account.policy.terms.budgetPeriod)
      accounts[mandate] = { ...account, policy }
    },
    setBudget(mandate, budgetTotal) {
      accounts[mandate] = { ...accountAt(mandate), budgetTotal }
    },
  }
}

function policyOf(index: number, { index: set }: RuleSet, budgetPeriod: BudgetPeriod): Policy {
  const name = `${index} ${set} ${budgetPeriod}`
  const known = POLICIES.get(name)
  if (known) return known
  const terms = someTerms({ budgetPeriod, rules: RULE_SETS[set]?.rules ?? [] })
  const policy = compilePolicy({ mandateId: mandateId(index), version: set, hash: name, terms })
  POLICIES.set(name, policy)
  return policy
}
