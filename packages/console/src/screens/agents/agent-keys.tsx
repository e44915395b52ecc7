import { useQuery } from '@tanstack/react-query'
import { Lock } from 'lucide-react'
import { queries } from '../../data/queries.ts'
import { useMay } from '../../data/session.ts'
import { When } from '../../parts/when.tsx'
import { Link } from '../../router/link.tsx'
import { Card, CardBody, CardHeader } from '../../ui/card.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

/** The API keys that are bound to this agent. */
export function AgentKeys({ agentId }: { readonly agentId: string }) {
  const may = useMay('keys:read')
  const { data, error } = useQuery({ ...queries.agentKeys(agentId), enabled: may.isAllowed })
  return (
    <Card>
      <CardHeader
        title="Keys"
        action={
          may.isAllowed ? (
            <Link to="/keys/new" search={{ agent: agentId }}>
              Create one
            </Link>
          ) : undefined
        }
      />
      {!may.isAllowed ? (
        <CardBody className="flex gap-2 text-ink-2">
          <Lock aria-hidden size={14} className="mt-0.75 flex-none text-ink-3" />
          {may.reason}
        </CardBody>
      ) : error ? (
        <CardBody className="text-no">The keys could not be loaded.</CardBody>
      ) : data === undefined ? (
        <Skeleton rows={1} shape="table" />
      ) : data.data.length === 0 ? (
        <CardBody className="text-ink-2">No key is bound to this agent.</CardBody>
      ) : (
        <ul>
          {data.data.map(({ id, name, prefix, lastUsedAt }) => (
            <li
              key={id}
              className="flex items-center gap-3 border-b border-line px-3.5 py-2 last:border-b-0"
            >
              <span className="min-w-0 flex-1">
                <bdi className="block truncate font-medium">{name}</bdi>
                <code className="text-ink-3">{prefix}…</code>
              </span>
              <span className="text-ink-3">
                {lastUsedAt === null ? 'Never used' : <When at={lastUsedAt} ago />}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
