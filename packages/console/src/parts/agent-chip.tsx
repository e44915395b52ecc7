import { Link } from '../router/link.tsx'
import { initialsOf } from '../words/text.ts'

interface AgentChipProps {
  readonly name: string | null
  /** With an id, the name is a link to the agent. */
  readonly id?: string
}

/** An agent: a tile with its initials, and its name. A deleted agent keeps its name. */
export function AgentChip({ name, id }: AgentChipProps) {
  const text = name ?? 'Deleted agent'
  return (
    <span className="inline-flex max-w-full min-w-0 items-center gap-2 align-middle">
      <span
        aria-hidden
        className="grid size-5 flex-none place-items-center rounded-1 bg-accent-soft text-[0.5625rem] font-strong text-accent shadow-[inset_0_0_0_1px_var(--accent-line)]"
      >
        {initialsOf(text)}
      </span>
      <bdi className="truncate">
        {id ? (
          <Link
            to="/agents/$id"
            params={{ id }}
            className="block truncate leading-6 text-ink hover:text-accent"
          >
            {text}
          </Link>
        ) : (
          text
        )}
      </bdi>
    </span>
  )
}
