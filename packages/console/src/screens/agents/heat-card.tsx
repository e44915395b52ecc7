import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { HeatStrip } from '../../charts/heat-strip.tsx'
import { useTimezone } from '../../parts/when.tsx'
import { Card, CardBody, CardHeader } from '../../ui/card.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { formatShortDay } from '../../words/time.ts'
import { DAYS, heatSummary } from './days.ts'
import { useHeat } from './use-heat.ts'

/** The last 30 days: how many spends, and the share that was rejected. */
export function HeatCard({ agentId }: { readonly agentId: string }) {
  const [asTable, setAsTable] = useState(false)
  const navigate = useNavigate()
  const timezone = useTimezone()
  const days = useHeat()(agentId)
  const [first] = days ?? []
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
        {days === undefined ? (
          <Skeleton height={90} shape="block" />
        ) : (
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
                <span>
                  {first ? formatShortDay(new Date(`${first.key}T12:00:00Z`), 'UTC') : ''}
                </span>
                <span title={timezone}>today</span>
              </div>
            )}
          </>
        )}
      </CardBody>
    </Card>
  )
}
