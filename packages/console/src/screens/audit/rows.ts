import type { AuditEntry } from '@purser/sdk'
import { formatDay } from '../../words/time.ts'

/** A row of the list: a leaf, or the heading of a day. */
export type AuditRow =
  | { readonly key: string; readonly day: string }
  | { readonly key: string; readonly entry: AuditEntry }

/** Puts a heading before the first leaf of each day, in the zone of the organization. */
export function rowsByDay(
  entries: readonly AuditEntry[],
  timezone: string,
  now: Date,
): readonly AuditRow[] {
  const rows: AuditRow[] = []
  let last = ''
  for (const entry of entries) {
    const day = dayHeading(new Date(entry.at), timezone, now)
    // Two gateways may commit in another order than their clocks say, so a day can come twice.
    if (day !== last) rows.push({ key: `day-${entry.index}`, day })
    last = day
    rows.push({ key: String(entry.index), entry })
  }
  return rows
}

const DAY_MS = 86_400_000

/** "Today, 17 November", "Yesterday, 16 November", "3 October". */
export function dayHeading(at: Date, timezone: string, now: Date): string {
  const day = formatDay(at, timezone, now)
  if (day === formatDay(now, timezone, now)) return `Today, ${day}`
  const before = new Date(now.getTime() - DAY_MS)
  return day === formatDay(before, timezone, now) ? `Yesterday, ${day}` : day
}
