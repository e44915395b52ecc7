import type { Agent, ListedTransaction, Mandate, Rule } from '@purser/sdk'
import { exampleVendor } from '../../parts/example-vendors.ts'
import type { ExampleSpend } from './block-shape.ts'

const AMOUNT = 12.5
const CATEGORY = 'llm'

type Spender = Pick<Agent, 'status' | 'mandate'>

/** The agent whose first call is most likely to be approved: an active one with budget left. */
export function exampleAgent<A extends Spender>(agents: readonly A[]): A | undefined {
  const ready = agents.find(
    ({ status, mandate }) => status === 'active' && mandate && mandate.remainingBudget > 0,
  )
  return ready ?? agents.find(({ mandate }) => mandate) ?? agents[0]
}

/** A spend of the agent that was approved. */
export type PaidSpend = Pick<ListedTransaction, 'vendor' | 'category' | 'amount'>

/**
 * A spend that the agent's mandate is likely to approve, so that the first call succeeds: at a vendor
 * that the agent has paid, else at one that its mandate allows.
 */
export function exampleSpend(
  mandate: Pick<Mandate, 'rules' | 'remainingBudget'> | null | undefined,
  paid?: PaidSpend | null,
): ExampleSpend {
  const rules = mandate?.rules ?? []
  const amount = amountOf(rules, mandate?.remainingBudget, paid)
  if (paid?.category) return { amount, vendor: paid.vendor, category: paid.category }
  const hosts = rules.flatMap((rule) => (rule.type === 'vendors' ? (rule.allow ?? []) : []))
  const categories = rules.flatMap((rule) => (rule.type === 'categories' ? (rule.allow ?? []) : []))
  const category = categories[0] ?? CATEGORY
  const vendor = hosts.find((host) => !host.includes('*')) ?? hostOf(hosts[0])
  return { amount, vendor: vendor ?? exampleVendor(category), category }
}

/** An amount below each limit of the mandate. A price must not rise where a rule compares prices. */
function amountOf(
  rules: readonly Rule[],
  remaining: number | undefined,
  paid: PaidSpend | null | undefined,
): number {
  const most = rules.flatMap((rule) => {
    if (rule.type === 'amount') return rule.max ?? []
    if (rule.type === 'limit') return rule.maxAmount ?? []
    if (rule.type === 'approval') return rule.above ?? []
    return rule.type === 'price_drift' ? (paid?.amount ?? []) : []
  })
  return Math.min(AMOUNT, ...most.filter((limit) => limit > 0), leftOf(remaining))
}

/** An empty budget approves nothing, so it sets no limit for the example. */
function leftOf(remaining: number | undefined): number {
  return remaining !== undefined && remaining > 0 ? remaining : AMOUNT
}

/** `*.klm.com` allows `www.klm.com`. */
function hostOf(pattern: string | undefined): string | undefined {
  return pattern?.startsWith('*.') ? `www${pattern.slice(1)}` : undefined
}
