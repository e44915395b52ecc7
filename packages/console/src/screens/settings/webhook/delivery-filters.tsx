import { CalendarDays } from 'lucide-react'
import { changeSearch } from '../../../page/change-search.ts'
import { useNavigate } from '../../../router/use-router.ts'
import { FilterChip } from '../../../ui/chip.tsx'
import { PILL_ROOM } from '../../../ui/live-pill.tsx'
import { RadioCards } from '../../../ui/radio-cards.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import { Select } from '../../../ui/select.tsx'
import { shortId } from '../../../words/text.ts'
import { eventWord } from '../../../words/words.ts'
import { EndpointFilter } from './endpoint-filter.tsx'
import { ALL_KINDS } from './event-groups.ts'
import type { LogSearch } from './log-query.ts'
import { RANGES, rangeLabel } from './ranges.ts'

const STATUSES = [
  { value: 'all', label: 'All' },
  { value: 'failed', label: 'Failed' },
  { value: 'pending', label: 'Retrying' },
  { value: 'succeeded', label: 'Delivered' },
] as const

/** The filters of the log. The address holds them. */
export function DeliveryFilters({ search }: { readonly search: LogSearch }) {
  const navigate = useNavigate()
  const set = (change: { readonly [Name in keyof LogSearch]?: string | undefined }) =>
    void navigate({ to: '.', search: (before) => changeSearch(before, change) })
  const status = STATUSES.find(({ value }) => value === search.status)?.value ?? 'all'
  return (
    <div className={`flex flex-wrap items-center gap-2 px-4 py-2.5 tablet:pl-6 ${PILL_ROOM}`}>
      <h2 className="mr-auto font-strong">Deliveries</h2>
      <Segmented
        label="Status of the deliveries"
        onChange={(next) => set({ status: next === 'all' ? undefined : next })}
        options={STATUSES}
        value={status}
      />
      {search.transaction ? (
        <FilterChip
          label="Transaction"
          on
          onRemove={() => set({ transaction: undefined })}
          value={shortId(search.transaction)}
        />
      ) : null}
      <EndpointFilter onChange={(endpoint) => set({ endpoint })} value={search.endpoint} />
      <FilterChip
        label="Kind"
        on={search.event !== undefined}
        onRemove={() => set({ event: undefined })}
        value={search.event === undefined ? undefined : eventWord(search.event)}
      >
        {(close) => (
          <Select
            label="Kind of event"
            onChange={(event) => {
              set({ event })
              close()
            }}
            options={ALL_KINDS.map((kind) => ({ value: kind, label: eventWord(kind), hint: kind }))}
            value={ALL_KINDS.find((kind) => kind === search.event) ?? null}
          />
        )}
      </FilterChip>
      <FilterChip
        icon={<CalendarDays aria-hidden="true" size={13} />}
        label="Time"
        on={search.from !== undefined}
        onRemove={() => set({ from: undefined, to: undefined })}
        value={search.from === undefined ? undefined : rangeLabel(search.from)}
      >
        {(close) => (
          <RadioCards
            label="Events of the last"
            onChange={(from) => {
              set({ from, to: undefined })
              close()
            }}
            options={RANGES.map(({ value, label }) => ({ value, title: label }))}
            value={RANGES.find(({ value }) => value === search.from)?.value ?? null}
          />
        )}
      </FilterChip>
    </div>
  )
}
