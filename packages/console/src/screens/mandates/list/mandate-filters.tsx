import { useQuery } from '@tanstack/react-query'
import { Archive, Search as SearchIcon } from 'lucide-react'
import { useRef } from 'react'
import { queries } from '../../../data/queries.ts'
import { useShortcut } from '../../../keys/use-shortcut.ts'
import { useTypedText } from '../../../page/use-typed-text.ts'
import { useNavigate } from '../../../router/use-router.ts'
import { FilterChip } from '../../../ui/chip.tsx'
import { Combobox } from '../../../ui/combobox.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import { TextField } from '../../../ui/text-field.tsx'

type Search = Readonly<Record<string, string | undefined>>

const STATUSES = [
  { value: 'all', label: 'All' },
  { value: 'active', label: 'Active' },
  { value: 'draft', label: 'Drafts' },
  { value: 'expired', label: 'Expired' },
  { value: 'revoked', label: 'Revoked' },
] as const

/** The filters of the list. They are in the address. */
export function MandateFilters({ search }: { readonly search: Search }) {
  const navigate = useNavigate()
  const agents = useQuery(queries.agents()).data?.data ?? []
  const agent = agents.find(({ id }) => id === search['agent'])
  const isArchived = search['archived'] === 'true'
  const go = (change: Search, replace = false) =>
    void navigate({ to: '.', search: (old) => ({ ...old, ...change }), replace })
  const status = STATUSES.find(({ value }) => value === search['status'])?.value ?? 'all'
  return (
    <div
      className="flex flex-wrap items-center gap-2 border-b border-line px-4 py-2 tablet:px-6"
      data-print="none"
    >
      <Segmented
        label="Status"
        onChange={(next) => go({ status: next === 'all' ? undefined : next })}
        options={STATUSES}
        value={status}
      />
      <FindField onChange={(q) => go({ q }, true)} value={search['q'] ?? ''} />
      <FilterChip
        label="Agent"
        on={search['agent'] !== undefined}
        onRemove={() => go({ agent: undefined })}
        value={agent?.name ?? 'one agent'}
      >
        {(close) => (
          <Combobox
            label="Agent"
            onChange={(id) => {
              if (!agents.some((one) => one.id === id)) return
              go({ agent: id })
              close()
            }}
            options={agents.map(({ id, name }) => ({ value: id, label: name }))}
            placeholder="Choose an agent"
            value={search['agent'] ?? ''}
          />
        )}
      </FilterChip>
      <span className="contents">
        <button
          aria-pressed={isArchived}
          className="inline-flex min-h-7 items-center gap-1.25 rounded-full border border-dashed border-line-strong px-2.25 text-small text-ink-2 hover:border-line-control hover:text-ink aria-pressed:border-solid aria-pressed:border-accent-line aria-pressed:bg-accent-soft aria-pressed:font-strong aria-pressed:text-ink pointer-coarse:min-h-11"
          onClick={() => go({ archived: isArchived ? undefined : 'true' })}
          type="button"
        >
          <Archive aria-hidden size={12} />
          Archived
        </button>
      </span>
    </div>
  )
}

interface FindFieldProps {
  readonly value: string
  readonly onChange: (q: string | undefined) => void
}

const WAIT_MS = 250

function FindField({ value, onChange }: FindFieldProps) {
  const [text, setText] = useTypedText({
    value,
    write: (q) => onChange(q === '' ? undefined : q),
    waitMs: WAIT_MS,
  })
  const input = useRef<HTMLInputElement>(null)
  useShortcut('/', () => input.current?.focus(), { label: 'Find a mandate', group: 'Mandates' })
  return (
    <span className="w-56 max-phone:w-full">
      <TextField
        aria-label="Find by name of the mandate or the agent"
        icon={<SearchIcon aria-hidden className="text-ink-3" size={14} />}
        onChange={setText}
        placeholder="Find by name"
        ref={input}
        size="sm"
        type="search"
        value={text}
      />
    </span>
  )
}
