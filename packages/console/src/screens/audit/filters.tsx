import { Calendar } from 'lucide-react'
import { FilterChip } from '../../ui/chip.tsx'
import { PILL_ROOM } from '../../ui/live-pill.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { kindWords } from '../../words/leaf-sentences.ts'
import { shortId } from '../../words/text.ts'
import { IdFilter } from './id-filter.tsx'
import { isTab, KIND_TABS } from './kinds.ts'
import { periodWords } from './period.ts'
import { PeriodFilter } from './period-filter.tsx'
import type { AuditSearch } from './use-audit-address.ts'
import type { AuditNames, Named } from './use-leaf-names.ts'

interface FiltersProps {
  readonly search: AuditSearch
  readonly names: AuditNames
  readonly now: Date
  readonly onChange: (change: AuditSearch) => void
}

/** Filters by kind, actor, subject and time. Everything is in the address. */
export function Filters({ search, names, now, onChange }: FiltersProps) {
  const { kind, actor, subject, from, to } = search
  const hasPeriod = from !== undefined || to !== undefined
  return (
    <div
      className={`flex flex-wrap items-center gap-2 border-b border-line px-4 py-2.5 tablet:pl-6 ${PILL_ROOM}`}
      data-print="none"
    >
      <Segmented
        label="Kind of entry"
        value={kind ?? 'all'}
        options={KIND_TABS}
        onChange={(value) => onChange({ kind: value === 'all' ? undefined : value })}
      />
      {isTab(kind) ? null : (
        <FilterChip
          label="Kind"
          value={(kind ?? '').split(',').map(kindWords).join(', ')}
          on
          onRemove={() => onChange({ kind: undefined })}
        />
      )}
      <FilterChip
        label="Who"
        value={nameIn(names.actors, actor)}
        on={actor !== undefined}
        onRemove={() => onChange({ actor: undefined })}
      >
        {(close) => (
          <IdFilter
            label="Agent, person, key or id"
            options={names.actors}
            value={actor ?? ''}
            onApply={(value) => {
              onChange({ actor: value })
              close()
            }}
          />
        )}
      </FilterChip>
      <FilterChip
        label="About"
        value={nameIn(names.subjects, subject)}
        on={subject !== undefined}
        onRemove={() => onChange({ subject: undefined })}
      >
        {(close) => (
          <IdFilter
            label="Agent, mandate, vendor, card, key or id"
            options={names.subjects}
            value={subject ?? ''}
            onApply={(value) => {
              onChange({ subject: value })
              close()
            }}
          />
        )}
      </FilterChip>
      <FilterChip
        label={hasPeriod ? 'Time' : 'Any time'}
        value={periodWords({ from, to }, names.timezone, now)}
        on={hasPeriod}
        onRemove={() => onChange({ from: undefined, to: undefined })}
        icon={<Calendar size={12} aria-hidden />}
      >
        {(close) => (
          <PeriodFilter
            {...{ from, to, now }}
            timezone={names.timezone}
            onApply={(period) => {
              onChange(period)
              close()
            }}
          />
        )}
      </FilterChip>
    </div>
  )
}

function nameIn(list: readonly Named[], id: string | undefined): string {
  if (id === undefined) return ''
  return list.find((one) => one.id === id)?.name ?? shortId(id)
}
