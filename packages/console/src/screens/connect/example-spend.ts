import type { Agent, Mandate } from '@purser/sdk'
import type { ExampleSpend } from './block-shape.ts'

const DEFAULT: ExampleSpend = { amount: 12.5, vendor: 'api.openai.com', category: 'llm' }

type Spender = Pick<Agent, 'status' | 'mandate'>

/** The agent whose first call is most likely to be approved: an active one with budget left. */
export function exampleAgent<A extends Spender>(agents: readonly A[]): A | undefined {
  const ready = agents.find(
    ({ status, mandate }) => status === 'active' && mandate && mandate.remainingBudget > 0,
  )
  return ready ?? agents.find(({ mandate }) => mandate) ?? agents[0]
}

/** A spend that the agent's mandate is likely to approve, so that the first call succeeds. */
export function exampleSpend(
  mandate: Pick<Mandate, 'rules' | 'remainingBudget'> | null | undefined,
): ExampleSpend {
  const rules = mandate?.rules ?? []
  const hosts = rules.flatMap((rule) => (rule.type === 'vendors' ? (rule.allow ?? []) : []))
  const categories = rules.flatMap((rule) => (rule.type === 'categories' ? (rule.allow ?? []) : []))
  const most = rules.flatMap((rule) =>
    rule.type === 'amount' && rule.max !== undefined ? [rule.max] : [],
  )
  return {
    amount: Math.min(DEFAULT.amount, ...most, leftOf(mandate?.remainingBudget)),
    vendor: hosts.find((host) => !host.includes('*')) ?? hostOf(hosts[0]) ?? DEFAULT.vendor,
    category: categories[0] ?? DEFAULT.category,
  }
}

/** An empty budget approves nothing, so it sets no limit for the example. */
function leftOf(remaining: number | undefined): number {
  return remaining !== undefined && remaining > 0 ? remaining : DEFAULT.amount
}

/** `*.klm.com` allows `www.klm.com`. */
function hostOf(pattern: string | undefined): string | undefined {
  return pattern?.startsWith('*.') ? `www${pattern.slice(1)}` : undefined
}
