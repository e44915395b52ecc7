import type { Mandate } from '@purser/sdk'
import type { ExampleSpend } from './block-shape.ts'

const DEFAULT: ExampleSpend = { amount: 12.5, vendor: 'api.openai.com', category: 'llm' }

/** A spend that the agent's mandate is likely to approve, so that the first call succeeds. */
export function exampleSpend(mandate: Pick<Mandate, 'rules'> | null | undefined): ExampleSpend {
  const rules = mandate?.rules ?? []
  const hosts = rules.flatMap((rule) => (rule.type === 'vendors' ? (rule.allow ?? []) : []))
  const categories = rules.flatMap((rule) => (rule.type === 'categories' ? (rule.allow ?? []) : []))
  const most = rules.flatMap((rule) =>
    rule.type === 'amount' && rule.max !== undefined ? [rule.max] : [],
  )
  return {
    amount: Math.min(DEFAULT.amount, ...most),
    vendor: hosts.find((host) => !host.includes('*')) ?? hostOf(hosts[0]) ?? DEFAULT.vendor,
    category: categories[0] ?? DEFAULT.category,
  }
}

/** `*.klm.com` allows `www.klm.com`. */
function hostOf(pattern: string | undefined): string | undefined {
  return pattern?.startsWith('*.') ? `www${pattern.slice(1)}` : undefined
}
