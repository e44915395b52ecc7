import type { Mandate } from '@purser/sdk'
import { Link } from '@tanstack/react-router'
import { Flag, UserRound } from 'lucide-react'
import { useTimezone, When } from '../../parts/when.tsx'
import { Card, CardBody, CardHeader } from '../../ui/card.tsx'
import { Tag } from '../../ui/tag.tsx'
import { budgetWords, ruleSentences, untilWords } from './mandate-words.ts'

interface MandateCardProps {
  readonly agentId: string
  readonly mandate: Mandate | null
}

/** The mandate in words. */
export function MandateCard({ agentId, mandate }: MandateCardProps) {
  const timezone = useTimezone()
  if (!mandate) {
    return (
      <Card>
        <CardHeader
          title="Mandate"
          action={
            <Link to="/mandates/new" search={{ agent: agentId }}>
              Create one
            </Link>
          }
        />
        <CardBody className="text-ink-2">No active mandate.</CardBody>
      </Card>
    )
  }
  const { id, version, updatedAt, updatedByName } = mandate
  return (
    <Card>
      <CardHeader
        title={
          <Link to="/mandates/$id" params={{ id }} className="text-ink">
            <bdi>{mandate.name}</bdi>
          </Link>
        }
        note={<Tag>version {version}</Tag>}
        action={
          <Link to="/mandates/$id/edit" params={{ id }}>
            Edit
          </Link>
        }
      />
      <CardBody>
        <p>
          It may spend <b>{budgetWords(mandate)}</b>
          {untilWords(mandate, timezone)}.
        </p>
        <ul className="mt-2 flex flex-col gap-1.5">
          {ruleSentences(mandate).map(({ id: ruleId, text, effect }) => (
            <li key={ruleId} className="flex gap-2 text-ink-2">
              <span aria-hidden className="grid h-5 w-4 flex-none place-items-center">
                {effect === 'flag' ? (
                  <Flag size={13} className="text-ask" />
                ) : effect === 'require_approval' ? (
                  <UserRound size={13} className="text-ask" />
                ) : (
                  <span className="size-1 rounded-full bg-line-control" />
                )}
              </span>
              <span className="min-w-0 [overflow-wrap:anywhere]">
                <bdi>{text}</bdi>
                {effect === 'flag' ? ' Otherwise it is flagged.' : ''}
                {effect === 'require_approval' && !text.includes('approv')
                  ? ' Otherwise it needs approval.'
                  : ''}
              </span>
            </li>
          ))}
        </ul>
        <p className="mt-3 text-small text-ink-3">
          Changed <When at={updatedAt} ago />
          {updatedByName ? ` by ${updatedByName}` : ''}.{' '}
          {version > 1 ? (
            <Link
              to="/mandates/$id/versions"
              params={{ id }}
              search={{ a: String(version - 1), b: String(version) }}
            >
              What changed
            </Link>
          ) : null}
        </p>
      </CardBody>
    </Card>
  )
}
