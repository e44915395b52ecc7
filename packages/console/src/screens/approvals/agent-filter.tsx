import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { queries } from '../../data/queries.ts'
import { Link } from '../../router/link.tsx'

/** The list shows one agent only. The filter comes from a link and can be removed. */
export function AgentFilter({ agent }: { readonly agent: string | undefined }) {
  const { data } = useQuery({ ...queries.agent(agent ?? ''), enabled: agent !== undefined })
  if (agent === undefined) return null
  return (
    <div className="border-b border-line px-4 py-2.5">
      <Link
        to="/approvals"
        className="inline-flex min-h-7 max-w-full items-center gap-1.25 rounded-full border border-accent-line bg-accent-soft px-2.25 text-small text-ink hover:no-underline pointer-coarse:min-h-11"
      >
        <span className="truncate">
          Agent: <b>{data?.name ?? 'one agent'}</b>
        </span>
        <X aria-hidden size={12} className="flex-none text-ink-3" />
        <span className="sr-only">Remove this filter</span>
      </Link>
    </div>
  )
}
