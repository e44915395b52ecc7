import { CalendarDays, ListFilter, X } from 'lucide-react'
import { lazy, memo, Suspense, useState } from 'react'
import { useShortcut } from '../../../keys/use-shortcut.ts'
import { Button } from '../../../ui/button.tsx'
import { FilterChip } from '../../../ui/chip.tsx'
import { PILL_ROOM } from '../../../ui/live-pill.tsx'
import { Popover } from '../../../ui/popover.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { CHIPS, type ChipKind, type ChipNames, chipValue, isChipOn } from './chips.ts'
import type { TransactionSearch } from './filters.ts'
import { FindField } from './find-field.tsx'

const ChipEditor = lazy(() =>
  import('./chip-editor.tsx').then((it) => ({ default: it.ChipEditor })),
)

interface FilterBarProps {
  readonly search: TransactionSearch
  readonly names: ChipNames
  readonly onChange: (change: TransactionSearch, isTyping?: boolean) => void
}

/** The find field and one chip per filter. `f` lists every filter. */
export const FilterBar = memo(function FilterBar({ search, names, onChange }: FilterBarProps) {
  const [openId, setOpenId] = useState<string | null>(null)
  useShortcut('f', () => setOpenId('all'), { label: 'Add a filter', group: 'Transactions' })
  // The chip that was chosen in the list stays, until its popup closes without a value.
  const shown = CHIPS.filter((chip) => chip.isUsual || isChipOn(chip, search) || chip.id === openId)
  const rest = CHIPS.filter((chip) => !shown.includes(chip))
  const on = CHIPS.filter((chip) => isChipOn(chip, search))
  const clear = Object.fromEntries(
    on.flatMap(({ parameters }) => parameters.map((name) => [name, undefined])),
  )
  return (
    <div
      className={`flex items-center gap-1.5 overflow-x-auto px-4 py-2.5 max-tablet:-my-0.5 tablet:flex-wrap tablet:overflow-visible tablet:pl-6 ${PILL_ROOM}`}
    >
      <FindField search={search} onChange={onChange} />
      {shown.map((chip) => (
        <Chip
          key={chip.id}
          {...{ chip, search, names, onChange }}
          isOpen={openId === chip.id}
          onOpenChange={(isOpen) => setOpenId(isOpen ? chip.id : null)}
        />
      ))}
      <AllFilters
        chips={rest}
        isOpen={openId === 'all'}
        onOpenChange={(isOpen) => setOpenId(isOpen ? 'all' : null)}
        onPick={setOpenId}
      />
      {on.length > 1 ? (
        <Button
          variant="quiet"
          size="sm"
          icon={<X size={12} aria-hidden />}
          onClick={() => onChange(clear)}
        >
          Clear
        </Button>
      ) : null}
    </div>
  )
})

interface ChipProps extends FilterBarProps {
  readonly chip: ChipKind
  readonly isOpen: boolean
  readonly onOpenChange: (isOpen: boolean) => void
}

function Chip({ chip, search, names, onChange, isOpen, onOpenChange }: ChipProps) {
  const isOn = isChipOn(chip, search)
  const remove = Object.fromEntries(chip.parameters.map((name) => [name, undefined]))
  const value = isOn ? chipValue(chip, search, names) : undefined
  // A period needs no label.
  const isPeriod = chip.id === 'period' && value !== undefined
  return (
    <FilterChip
      label={isPeriod ? value : chip.label}
      on={isOn}
      value={isPeriod ? undefined : value}
      icon={isPeriod ? <CalendarDays size={13} strokeWidth={1.5} /> : undefined}
      onRemove={() => onChange(remove)}
      open={isOpen}
      onOpenChange={onOpenChange}
    >
      {(close) => (
        <Suspense fallback={<Skeleton rows={3} />}>
          <ChipEditor {...{ chip, search, onChange }} onClose={close} />
        </Suspense>
      )}
    </FilterChip>
  )
}

interface AllFiltersProps {
  readonly chips: readonly ChipKind[]
  readonly isOpen: boolean
  readonly onOpenChange: (isOpen: boolean) => void
  readonly onPick: (id: string) => void
}

/** The filters that are needed less often. */
function AllFilters({ chips, isOpen, onOpenChange, onPick }: AllFiltersProps) {
  return (
    <Popover
      label="Filters"
      open={isOpen}
      onOpenChange={onOpenChange}
      trigger={
        <Button
          variant="quiet"
          size="sm"
          square
          aria-label="Add a filter"
          title="Add a filter (f)"
          icon={<ListFilter size={14} strokeWidth={1.5} aria-hidden />}
        />
      }
    >
      <ul aria-label="Filters" className="-m-2">
        {(isOpen ? [...CHIPS.filter(({ isUsual }) => isUsual), ...chips] : chips).map((chip) => (
          <li key={chip.id}>
            <button
              type="button"
              onClick={() => onPick(chip.id)}
              className="flex min-h-8 w-full items-center rounded-2 px-2 text-left hover:bg-selected focus-visible:bg-selected pointer-coarse:min-h-11"
            >
              {chip.label}
            </button>
          </li>
        ))}
      </ul>
    </Popover>
  )
}
