import type { AnalyticsRow } from '@purser/sdk'
import type { HeatDay } from '../../charts/heat-strip.tsx'

const DAY_MS = 24 * 60 * 60_000
export const DAYS = 30

interface Counts {
  /** Approved spends for each day and agent. */
  readonly approved: readonly AnalyticsRow[]
  readonly rejected: readonly AnalyticsRow[]
}

/**
 * Whether the rows tell about this agent. Beyond the largest groups, the gateway adds agents up in one
 * row, so that an agent without a row of its own may have spent.
 */
export function isCounted(agentId: string, { approved, rejected }: Counts): boolean {
  return [approved, rejected].every(
    (rows) =>
      !rows.some(({ isOther }) => isOther) || rows.some(({ group }) => group?.agent === agentId),
  )
}

/** The last 30 days of an agent up to the given day (2026-11-17), each with all its spends. */
export function heatDays(agentId: string, counts: Counts, lastDay: string): readonly HeatDay[] {
  const approved = countByDay(agentId, counts.approved)
  const rejected = countByDay(agentId, counts.rejected)
  const last = Date.parse(`${lastDay}T00:00:00Z`)
  return Array.from({ length: DAYS }, (_, index) => {
    const date = new Date(last - (DAYS - 1 - index) * DAY_MS)
    const key = date.toISOString().slice(0, 10)
    const refused = rejected.get(key) ?? 0
    return {
      ...{ key, label: dayLabel(date), refused },
      spends: (approved.get(key) ?? 0) + refused,
      href: `/transactions?${new URLSearchParams({ agent: agentId, from: key, to: nextDay(date) })}`,
    }
  })
}

/** "62 spends in 30 days, 4 rejected". */
export function heatSummary(days: readonly HeatDay[]): string {
  const spends = days.reduce((all, day) => all + day.spends, 0)
  const refused = days.reduce((all, day) => all + day.refused, 0)
  return `${spends} ${spends === 1 ? 'spend' : 'spends'} in ${days.length} days, ${refused} rejected`
}

function countByDay(agentId: string, rows: readonly AnalyticsRow[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { start, group, count } of rows) {
    if (start === null || group?.agent !== agentId) continue
    // An agent with several currencies has a row for each.
    counts.set(start, (counts.get(start) ?? 0) + (count ?? 0))
  }
  return counts
}

function dayLabel(date: Date): string {
  return date
    .toLocaleDateString('en-GB', {
      ...{ weekday: 'short', day: 'numeric', month: 'long', timeZone: 'UTC' },
    })
    .replace(',', '')
}

function nextDay(date: Date): string {
  return new Date(date.getTime() + DAY_MS).toISOString().slice(0, 10)
}
