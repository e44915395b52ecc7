import { useQuery } from '@tanstack/react-query'
import { Meter } from '../../../charts/meter.tsx'
import { queries } from '../../../data/queries.ts'
import { asPurserError } from '../../../data/use-action.ts'
import { ErrorNotice } from '../../../page/error-notice.tsx'
import { useTimezone } from '../../../parts/when.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { countOf } from '../../../words/text.ts'
import { formatDay } from '../../../words/time.ts'
import { readable } from '../../../words/words.ts'
import { Section } from './section.tsx'

/** The limits of the plan, and the used part of each. */
export function UsageMeters() {
  const timezone = useTimezone()
  const { data, error, refetch } = useQuery(queries.usage())
  if (!data) {
    return (
      <Section title="Usage">
        {error ? (
          <ErrorNotice
            error={asPurserError(error)}
            onRetry={() => void refetch()}
            title="The usage could not be loaded."
          />
        ) : (
          <Skeleton height={90} shape="block" />
        )}
      </Section>
    )
  }
  const { evaluations, agents, requestsPerMinute, plan, resetsAt } = data
  return (
    <Section note={`Plan: ${readable(plan)}`} title="Usage">
      <Used name="Decisions this month" one="decision" usage={evaluations} />
      <Used name="Agents" one="agent" usage={agents} />
      <p className="text-small text-ink-3">
        {requestsPerMinute.limit === null
          ? 'Requests are not limited. '
          : `Each key may send ${countOf(requestsPerMinute.limit, 'request')} per minute. `}
        Decisions start again at 0 on {formatDay(new Date(resetsAt), timezone, new Date())}.
      </p>
    </Section>
  )
}

interface UsedProps {
  readonly name: string
  readonly one: string
  readonly usage: { readonly used: number; readonly limit: number | null }
}

function Used({ name, one, usage: { used, limit } }: UsedProps) {
  const figure =
    limit === null
      ? `${countOf(used, one)}, without a limit`
      : `${used.toLocaleString('en')} of ${countOf(limit, one)}`
  return (
    <div>
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="font-medium">{name}</span>
        <span className="text-small text-ink-2">{figure}</span>
      </div>
      {limit === null ? null : (
        <Meter held={0} label={figure} name={name} spent={used} total={limit}>
          {null}
        </Meter>
      )}
    </div>
  )
}
