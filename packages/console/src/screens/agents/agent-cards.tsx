import type { CardStatus } from '@purser/sdk'
import { useQuery } from '@tanstack/react-query'
import { Ban, Check, type LucideIcon, Pause } from 'lucide-react'
import { queries } from '../../data/queries.ts'
import { Link } from '../../router/link.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Card, CardBody, CardHeader } from '../../ui/card.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import type { Tone } from '../../ui/tone.ts'

const STATUS: Readonly<
  Record<CardStatus, { readonly word: string; readonly tone: Tone; readonly icon: LucideIcon }>
> = {
  active: { word: 'Active', tone: 'ok', icon: Check },
  paused: { word: 'Paused', tone: 'ask', icon: Pause },
  closed: { word: 'Closed', tone: 'done', icon: Ban },
}

/** The cards of this agent. */
export function AgentCards({ agentId }: { readonly agentId: string }) {
  const { data, error } = useQuery(queries.agentCards(agentId))
  return (
    <Card>
      <CardHeader
        title="Cards"
        action={
          <Link to="/cards" search={{ agent: agentId }}>
            {data?.data.length === 0 ? 'Add one' : 'All cards'}
          </Link>
        }
      />
      {error ? (
        <CardBody className="text-no">The cards could not be loaded.</CardBody>
      ) : data === undefined ? (
        <Skeleton rows={1} shape="table" />
      ) : data.data.length === 0 ? (
        <CardBody className="text-ink-2">This agent has no card.</CardBody>
      ) : (
        <ul>
          {data.data.map(({ id, label, last4, status }) => {
            const { word, tone, icon: Icon } = STATUS[status]
            return (
              <li
                key={id}
                className="flex items-center gap-3 border-b border-line px-3.5 py-2 last:border-b-0"
              >
                <span className="min-w-0 flex-1 truncate font-medium">
                  <bdi>{label ?? 'Card'}</bdi>
                  {last4 === null ? '' : ` •••• ${last4}`}
                </span>
                <Badge tone={tone} icon={<Icon size={13} strokeWidth={1.5} />}>
                  {word}
                </Badge>
              </li>
            )
          })}
        </ul>
      )}
    </Card>
  )
}
