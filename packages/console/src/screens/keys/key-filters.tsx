import { useQuery } from '@tanstack/react-query'
import { queries } from '../../data/queries.ts'
import { changeSearch } from '../../page/change-search.ts'
import { useNavigate } from '../../router/use-router.ts'
import { FilterChip } from '../../ui/chip.tsx'
import { Combobox } from '../../ui/combobox.tsx'
import { Segmented } from '../../ui/segmented.tsx'

interface KeyFiltersProps {
  readonly status: 'active' | 'revoked' | 'all'
  readonly agentId: string | undefined
}

const STATUSES = [
  { value: 'active', label: 'Active' },
  { value: 'revoked', label: 'Revoked' },
  { value: 'all', label: 'All' },
] as const

export function KeyFilters({ status, agentId }: KeyFiltersProps) {
  const navigate = useNavigate()
  const { data } = useQuery(queries.agents())
  const agents = (data?.data ?? []).map(({ id, name }) => ({ value: id, label: name }))
  const set = (change: { status?: string | undefined; agent?: string | undefined }) =>
    void navigate({ to: '/keys', search: (before) => changeSearch(before, change) })
  return (
    <div className="flex flex-wrap items-center gap-2 px-4 py-3 tablet:px-6">
      <Segmented
        label="Status of the keys"
        onChange={(next) => set({ status: next === 'active' ? undefined : next })}
        options={STATUSES}
        value={status}
      />
      <FilterChip
        label="Agent"
        on={agentId !== undefined}
        onRemove={() => set({ agent: undefined })}
        value={agents.find(({ value }) => value === agentId)?.label ?? agentId}
      >
        {(close) => (
          <Combobox
            label="Keys for this agent"
            onChange={(id) => {
              if (id === '') return
              set({ agent: id })
              close()
            }}
            options={agents}
            value={agentId ?? ''}
          />
        )}
      </FilterChip>
    </div>
  )
}
