import type { Agent } from '@purser/sdk'
import { Search, X } from 'lucide-react'
import { Link } from '../../router/link.tsx'
import { useNavigate } from '../../router/use-router.ts'
import { LinkSegments } from '../../ui/link-segments.tsx'
import { TextField } from '../../ui/text-field.tsx'
import type { AgentSearch } from './agent-search.ts'

interface AgentFiltersProps {
  readonly search: AgentSearch
  /** The agents that are shown. Their tags are offered as filters. */
  readonly agents: readonly Agent[]
}

const TAGS_MAX = 8
const STATUSES = [
  ['', 'All'],
  ['active', 'Active'],
  ['paused', 'Paused'],
] as const

/** The filters of the list. The address holds them; typing replaces it, choices add to it. */
export function AgentFilters({ search, agents }: AgentFiltersProps) {
  const navigate = useNavigate()
  const { status, tag, q } = search
  const chosen = tag?.split(',').filter(Boolean) ?? []
  const offered = [...new Set([...chosen, ...agents.flatMap(({ tags }) => tags)])].slice(
    0,
    TAGS_MAX,
  )
  const find = (text: string) => {
    const { q: _, ...rest } = search
    void navigate({
      ...{ to: '/agents', replace: true },
      search: text === '' ? rest : { ...rest, q: text },
    })
  }
  return (
    <search className="flex flex-wrap items-center gap-2 border-b border-line px-4 py-2.5 tablet:px-6">
      <div className="w-full phone:w-60">
        <TextField
          aria-label="Search agents"
          icon={<Search aria-hidden size={14} className="flex-none text-ink-3" />}
          onChange={find}
          placeholder="Name or your id"
          size="sm"
          type="search"
          value={q ?? ''}
        />
      </div>
      <LinkSegments
        label="Status"
        items={STATUSES.map(([value, label]) => {
          const { status: _, ...rest } = search
          return {
            ...{ label, isCurrent: (status ?? '') === value },
            render: <Link to="/agents" search={value === '' ? rest : { ...rest, status: value }} />,
          }
        })}
      />
      {offered.map((name) => {
        const isOn = chosen.includes(name)
        const next = isOn ? chosen.filter((one) => one !== name) : [...chosen, name]
        const { tag: _, ...rest } = search
        return (
          <Link
            key={name}
            to="/agents"
            search={next.length === 0 ? rest : { ...rest, tag: next.join(',') }}
            aria-label={isOn ? `Remove the tag ${name}` : `Only the tag ${name}`}
            className={`inline-flex min-h-7 items-center gap-1.25 rounded-full border px-2.25 text-small text-ink-2 hover:text-ink hover:no-underline pointer-coarse:min-h-11 ${isOn ? 'border-accent-line bg-accent-soft text-ink' : 'border-dashed border-line-strong'}`}
          >
            <bdi>{name}</bdi>
            {isOn ? <X aria-hidden size={12} className="text-ink-3" /> : null}
          </Link>
        )
      })}
    </search>
  )
}
