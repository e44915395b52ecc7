import { useQuery } from '@tanstack/react-query'
import type { HeatDay } from '../../charts/heat-strip.tsx'
import { queries } from '../../data/queries.ts'
import { useTimezone } from '../../parts/when.tsx'
import { heatDays } from './days.ts'

const GROUPS_MAX = 100

/** How many spends each agent made on each of the last 30 days; undefined while it loads. */
export function useHeat(): (agentId: string) => readonly HeatDay[] | undefined {
  const timezone = useTimezone()
  const asked = { groupBy: 'agent', interval: 'day', top: GROUPS_MAX } as const
  const { data: spends } = useQuery(queries.analytics({ ...asked, metric: 'spend' }))
  const { data: rejections } = useQuery(queries.analytics({ ...asked, metric: 'rejections' }))
  // The Swedish date is the ISO date: 2026-11-17.
  const today = new Date().toLocaleDateString('sv-SE', { timeZone: timezone })
  return (agentId) =>
    spends && rejections
      ? heatDays(agentId, { approved: spends.data, rejected: rejections.data }, today)
      : undefined
}
