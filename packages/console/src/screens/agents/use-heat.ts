import { useQuery } from '@tanstack/react-query'
import type { HeatDay } from '../../charts/heat-strip.tsx'
import { queries } from '../../data/queries.ts'
import { useTimezone } from '../../parts/when.tsx'
import { heatDays, isCounted } from './days.ts'

const GROUPS_MAX = 100

interface Heat {
  /** The days of an agent; undefined while they load, and if they are not known. */
  readonly daysOf: (agentId: string) => readonly HeatDay[] | undefined
  /** The sums are not known, or not for every agent. */
  readonly isUnknown: (agentId: string) => boolean
}

/** How many spends each agent made on each of the last 30 days. */
export function useHeat(): Heat {
  const timezone = useTimezone()
  const asked = { groupBy: 'agent', interval: 'day', top: GROUPS_MAX } as const
  const spends = useQuery(queries.analytics({ ...asked, metric: 'spend' }))
  const rejections = useQuery(queries.analytics({ ...asked, metric: 'rejections' }))
  // The Swedish date is the ISO date: 2026-11-17.
  const today = new Date().toLocaleDateString('sv-SE', { timeZone: timezone })
  const counts = spends.data &&
    rejections.data && { approved: spends.data.data, rejected: rejections.data.data }
  const isFailed = spends.isLoadingError || rejections.isLoadingError
  return {
    daysOf: (agentId) =>
      counts && isCounted(agentId, counts) ? heatDays(agentId, counts, today) : undefined,
    isUnknown: (agentId) => isFailed || (counts !== undefined && !isCounted(agentId, counts)),
  }
}
