import { useState } from 'react'
import { type HeatDay, HeatStrip } from '../../charts/heat-strip.tsx'
import { useTimezone } from '../../parts/when.tsx'
import { Link } from '../../router/link.tsx'
import { useNavigate } from '../../router/use-router.ts'
import { Card, CardBody, CardHeader } from '../../ui/card.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { formatShortDay } from '../../words/time.ts'
import { DAYS, heatSummary } from './days.ts'
import { useHeat } from './use-heat.ts'

/** The last 30 days: how many spends, and the share that was rejected. */
export function HeatCard({ agentId }: { readonly agentId: string }) {
  const [asTable, setAsTable] = useState(false)
  const heat = useHeat()
  const days = heat.daysOf(agentId)
  return (
    <Card>
      <CardHeader
        title={`${DAYS} days`}
        note={
          <span className="max-phone:hidden">
            each day: how many spends, and the share rejected
          </span>
        }
        action={
          <button
            type="button"
            className="min-h-6 text-accent hover:underline pointer-coarse:min-h-11"
            onClick={() => setAsTable(!asTable)}
            data-print="none"
          >
            {asTable ? 'As a chart' : 'As a table'}
          </button>
        }
      />
      <CardBody className={asTable ? 'max-h-80 overflow-y-auto' : ''}>
        {heat.isUnknown(agentId) ? (
          <p className="text-ink-2">
            The sums are not available now.{' '}
            <Link to="/transactions" search={{ agent: agentId, from: `${DAYS}d` }}>
              See the transactions
            </Link>
          </p>
        ) : days === undefined ? (
          <Skeleton height={90} shape="block" />
        ) : (
          <Days asTable={asTable} days={days} />
        )}
      </CardBody>
    </Card>
  )
}

interface DaysProps {
  readonly asTable: boolean
  readonly days: readonly HeatDay[]
}

function Days({ asTable, days }: DaysProps) {
  const navigate = useNavigate()
  const timezone = useTimezone()
  const [first] = days
  return (
    <>
      <HeatStrip
        asTable={asTable}
        days={days}
        height={54}
        label={heatSummary(days)}
        onOpen={({ href }) => href && void navigate({ href })}
      />
      {asTable ? null : (
        <div aria-hidden className="flex justify-between text-small text-ink-3">
          <span>{first ? formatShortDay(new Date(`${first.key}T12:00:00Z`), 'UTC') : ''}</span>
          <span title={timezone}>today</span>
        </div>
      )}
    </>
  )
}
