import type { Agent, CardConnection } from '@purser/sdk'
import { Segmented } from '../../ui/segmented.tsx'
import { Select } from '../../ui/select.tsx'
import type { CardsSearch } from './use-cards-address.ts'

interface CardFiltersProps {
  readonly search: CardsSearch
  readonly agents: readonly Pick<Agent, 'id' | 'name'>[]
  readonly connections: readonly CardConnection[]
  readonly onChange: (change: CardsSearch) => void
}

const STATUSES = [
  { value: 'all', label: 'All' },
  { value: 'active', label: 'Active' },
  { value: 'paused', label: 'Paused' },
  { value: 'closed', label: 'Closed' },
] as const

const EVERY = 'all'

export function CardFilters({ search, agents, connections, onChange }: CardFiltersProps) {
  const named = (list: readonly { readonly id: string; readonly name: string }[], all: string) => [
    { value: EVERY, label: all },
    ...list.map(({ id, name }) => ({ value: id, label: name })),
  ]
  const chosen = (value: string) => (value === EVERY ? undefined : value)
  return (
    <div className="flex flex-wrap items-center gap-2" data-print="none">
      <Segmented
        label="Status"
        value={search.status ?? EVERY}
        options={STATUSES}
        onChange={(status) => onChange({ status: chosen(status) })}
      />
      <Select
        aria-label="Agent"
        look="button"
        size="sm"
        value={search.agent ?? EVERY}
        options={named(agents, 'Every agent')}
        onChange={(agent) => onChange({ agent: chosen(agent) })}
      />
      <Select
        aria-label="Connection"
        look="button"
        size="sm"
        value={search.connection ?? EVERY}
        options={named(connections, 'Every connection')}
        onChange={(connection) => onChange({ connection: chosen(connection) })}
      />
    </div>
  )
}
