import type { Rule } from '@purser/sdk'
import { useQuery } from '@tanstack/react-query'
import { queries } from '../../data/queries.ts'
import type { ComboboxOption } from '../../ui/combobox.tsx'

/** Vendors and categories to choose from: the directory, and the rules of the agent's mandate. */
export function useChoices(agentId: string): {
  readonly vendors: readonly ComboboxOption[]
  readonly categories: readonly ComboboxOption[]
} {
  const { data: agents } = useQuery(queries.agents({ include: 'mandate' }))
  const { data: vendors } = useQuery(queries.vendors())
  const agent = agents?.data.find(({ id }) => id === agentId)
  const rules = agent?.mandate?.rules ?? []
  const known = (vendors?.data ?? []).map(({ host, name }) => ({
    ...{ value: host, label: host },
    ...(name ? { hint: name } : {}),
  }))
  const hosts = namedBy(rules, 'vendors').filter((host) => !host.includes('*'))
  const named = hosts.map((host) => ({ value: host, label: host, hint: 'Named by the mandate' }))
  const categories = [
    ...namedBy(rules, 'categories'),
    ...(vendors?.data ?? []).flatMap(({ category }) => category ?? []),
  ]
  return {
    vendors: unique([...named, ...known]),
    categories: unique(categories.map((value) => ({ value, label: value }))),
  }
}

/** The vendors or categories that the rules name. */
export function namedBy(rules: readonly Rule[], type: 'vendors' | 'categories'): string[] {
  return rules.flatMap((rule) =>
    rule.type === type ? [...(rule.allow ?? []), ...(rule.block ?? [])] : [],
  )
}

function unique(options: readonly ComboboxOption[]): readonly ComboboxOption[] {
  return [...new Map(options.map((one) => [one.value, one])).values()]
}
