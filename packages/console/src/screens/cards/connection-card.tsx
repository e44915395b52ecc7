import type { CardConnection } from '@purser/sdk'
import { Check, Power, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { When } from '../../parts/when.tsx'
import { Link } from '../../router/link.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Card, CardHeader } from '../../ui/card.tsx'
import { formatCount } from '../../words/money.ts'
import { healthOf } from './health-words.ts'
import { providerName } from './providers.ts'

/** One connection to an issuer: whether it asks us, and in time. */
export function ConnectionCard({ connection }: { readonly connection: CardConnection }) {
  const { id, name, provider, livemode, deadlineMs, health } = connection
  const verdict = healthOf(connection)
  return (
    <Card aria-label={name}>
      <CardHeader
        title={
          <Link
            to="/cards/connections/$id"
            params={{ id }}
            search={true}
            className="text-ink hover:text-accent"
          >
            <bdi>{name}</bdi>
          </Link>
        }
        note={`${providerName(provider)}${livemode ? '' : ', test'}`}
        action={<HealthBadge connection={connection} />}
      />
      <p className={`px-3.5 pt-3 ${verdict.tone === 'no' ? 'text-no' : 'text-ink-2'}`}>
        {verdict.sentence}
        {health.ungoverned24h > 0 ? (
          <>
            {' '}
            <Link to="/transactions" search={{ path: 'card', flagged: 'true' }}>
              See the transactions
            </Link>
          </>
        ) : null}
      </p>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-2.5 p-3.5 phone:grid-cols-5">
        <Figure
          label="Last request"
          value={health.lastRequestAt === null ? 'Never' : <When at={health.lastRequestAt} ago />}
        />
        <Figure
          label="Answer time, p95"
          value={`${health.p95Ms === null ? '–' : formatCount(health.p95Ms)} of ${formatCount(deadlineMs)} ms`}
        />
        <Figure label="Bad signatures" value={health.signatureFailures24h} isBad />
        <Figure label="Timeouts" value={health.timeouts24h} isBad />
        <Figure label="Ungoverned" value={health.ungoverned24h} isBad />
      </dl>
    </Card>
  )
}

export function HealthBadge({ connection }: { readonly connection: CardConnection }) {
  const { tone, word } = healthOf(connection)
  const Icon = tone === 'ok' ? Check : tone === 'done' ? Power : TriangleAlert
  return (
    <Badge tone={tone} icon={<Icon aria-hidden size={13} strokeWidth={1.75} />}>
      {word}
    </Badge>
  )
}

interface FigureProps {
  readonly label: string
  readonly value: ReactNode
  /** A number of failures: above zero it is red. */
  readonly isBad?: boolean
}

function Figure({ label, value, isBad = false }: FigureProps) {
  const isRed = isBad && value !== 0
  return (
    <div>
      <dt className="text-small text-ink-3">{label}</dt>
      <dd className={`font-medium ${isRed ? 'text-no' : ''}`}>{value}</dd>
    </div>
  )
}
