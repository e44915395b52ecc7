import { useQuery } from '@tanstack/react-query'
import { queries } from '../../data/queries.ts'
import { useNow, useTimezone } from '../../parts/when.tsx'
import { addDays, dayOf, longDay } from '../../words/days.ts'
import { countOf } from '../../words/text.ts'

/** "9 holds, the oldest from yesterday". The list is newest first, so the oldest is at its end. */
export function useHeldNote(currencies: number): string {
  const now = useNow()
  const timezone = useTimezone()
  const { data: newest } = useQuery(queries.latestTransactions({ status: 'held', limit: 1 }))
  const total = newest?.total ?? 0
  const { data: last } = useQuery({
    ...queries.latestTransactions({ status: 'held', limit: 1, offset: Math.max(0, total - 1) }),
    enabled: total > 1 && newest?.totalIsExact === true,
  })
  // Holds are not counted by currency.
  if (currencies > 1) return 'reserved, not settled yet'
  if (total === 0) return 'No holds'
  const oldest = (last ?? newest)?.data[0]?.createdAt
  const count = newest?.totalIsExact
    ? countOf(total, 'hold')
    : `more than ${countOf(total, 'hold')}`
  if (oldest === undefined) return count
  const from = heldSince(dayOf(new Date(oldest), timezone), dayOf(new Date(now), timezone))
  return total === 1 ? `${count}, from ${from}` : `${count}, the oldest from ${from}`
}

function heldSince(day: string, today: string): string {
  if (day === today) return 'today'
  return day === addDays(today, -1) ? 'yesterday' : longDay(day)
}
