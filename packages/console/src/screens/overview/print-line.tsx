import { useMe } from '../../data/session.ts'
import { useNow, useTimezone } from '../../parts/when.tsx'
import { dayOf, longDay } from '../../words/days.ts'
import { formatTime } from '../../words/time.ts'
import { type Range, rangeInFull } from './range.ts'

/** On paper: the organization, the days, the time zone, and who printed the page and when. */
export function PrintLine({ range }: { readonly range: Range }) {
  const { organization, member } = useMe()
  const timezone = useTimezone()
  const now = new Date(useNow())
  return (
    <p className="hidden text-small text-ink-2 print:block">
      {organization.name} · {rangeInFull(range)}, {timezone} · printed{' '}
      {longDay(dayOf(now, timezone), true)}, {formatTime(now, timezone)} by {member.name}
    </p>
  )
}
