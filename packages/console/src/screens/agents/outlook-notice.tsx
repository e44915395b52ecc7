import type { Mandate } from '@purser/sdk'
import { Ban, TriangleAlert } from 'lucide-react'
import { useTimezone } from '../../parts/when.tsx'
import { Link } from '../../router/link.tsx'
import { Notice } from '../../ui/notice.tsx'
import { noForecast } from '../../words/budget.ts'
import { formatMoney } from '../../words/money.ts'
import { countOf } from '../../words/text.ts'
import { formatDay } from '../../words/time.ts'
import { daysBetween, type Outlook } from './forecast.ts'

interface OutlookNoticeProps {
  readonly mandate: Mandate
  readonly outlook: Outlook
  readonly perDay: number | null
  /** The approved spends in the days of the forecast; undefined if it is not known. */
  readonly count: number | undefined
  readonly now: Date
}

/** Says in one sentence where the pace leads, and offers a person the actions for it. */
export function OutlookNotice(props: OutlookNoticeProps) {
  const { mandate, outlook, perDay, count, now } = props
  const timezone = useTimezone()
  const { periodEnd, currency, id } = mandate
  const resets = periodEnd === null ? null : new Date(periodEnd)
  const day = (at: Date) => formatDay(at, timezone, now)
  const pace =
    perDay === null ? '' : `${formatMoney(round(perDay), currency)} a day in the last 7 days`
  const raise = (
    <Link to="/mandates/$id/edit" params={{ id }}>
      Raise the budget
    </Link>
  )
  if (outlook.kind === 'exhausted') {
    return (
      <Notice tone="no" icon={<Ban aria-hidden size={16} />}>
        <b>The budget is exhausted.</b> Every spend is rejected
        {resets === null ? '' : ` until ${day(resets)}`}. {raise}.
      </Notice>
    )
  }
  if (outlook.kind === 'runs_out' && outlook.emptyAt) {
    const early = resets === null ? null : countOf(daysBetween(outlook.emptyAt, resets), 'day')
    return (
      <Notice tone="ask" icon={<TriangleAlert aria-hidden size={16} />}>
        <b>Empty on {day(outlook.emptyAt)} at this pace</b>
        {early === null ? '' : `, ${early} before it resets`}. It has spent {pace}. {raise} or{' '}
        <Link to="/mandates/$id/edit" params={{ id }}>
          lower a limit
        </Link>
        .
      </Notice>
    )
  }
  return (
    <p className="text-small text-ink-2">
      {quietSentence(outlook, resets && day(resets), pace, count)}
    </p>
  )
}

/** Nothing needs a person: the budget lasts, or too little is known. */
function quietSentence(
  outlook: Outlook,
  resets: string | null,
  pace: string,
  count: number | undefined,
): string {
  if (outlook.kind === 'lasts' && resets !== null) {
    return `Lasts until it resets on ${resets}. It has spent ${pace}.`
  }
  const reset = resets === null ? '' : ` The budget resets on ${resets}.`
  return `${noForecast(count)}.${reset}`
}

function round(amount: number): number {
  return Math.round(amount * 100) / 100
}
