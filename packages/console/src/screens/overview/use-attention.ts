import { useQuery } from '@tanstack/react-query'
import { queries } from '../../data/queries.ts'
import { useMay } from '../../data/session.ts'
import { asPurserError } from '../../data/use-action.ts'
import { useNow, useTimezone } from '../../parts/when.tsx'
import { attentionOf } from './attention.ts'
import type { Attention } from './attention-item.ts'
import type { WebhookFacts } from './attention-webhook.ts'
import { stateOf } from './budget-rows.ts'

const HOUR_MS = 3_600_000

export interface AttentionState {
  readonly items: readonly Attention[]
  /** A list failed, so that something may be missing. */
  readonly error: ReturnType<typeof asPurserError>
  readonly retry: () => void
}

/** The things that need a person now. Lists that the member may not read are left out. */
export function useAttention(): AttentionState {
  const now = useNow()
  const timezone = useTimezone()
  const may = {
    decide: useMay('approvals:write').isAllowed,
    edit: useMay('mandates:write').isAllowed,
  }
  const approvals = useQuery(queries.approvals({ status: 'pending', sort: 'expiresAt', limit: 1 }))
  const active = useQuery(queries.activeMandates())
  const { data: mandates, isPending } = active
  const { data: connections } = useQuery(queries.cardConnections())
  const { data: usage } = useQuery(queries.usage())
  const { data: keys } = useQuery({
    ...queries.apiKeys(),
    enabled: useMay('keys:read').isAllowed,
  })
  const empty = mandates?.find((mandate) => stateOf(mandate) === 'exhausted')
  const { data: overBudget } = useQuery({
    ...queries.latestTransactions({
      ...{ mandateId: empty?.id, code: 'budget_exceeded', limit: 1 },
      from: empty?.periodStart ?? undefined,
    }),
    enabled: empty !== undefined,
  })
  const webhook = useWebhookFacts(now)
  // The list appears once, with everything in it, so that it pushes the page down only once.
  const isLoading = approvals.isPending || isPending || webhook === 'loading'
  const failed = [approvals, active].filter((query) => query.isLoadingError)
  const retry = () => {
    for (const query of failed) void query.refetch()
  }
  const error = asPurserError(failed[0]?.error)
  if (isLoading) return { items: [], error, retry }
  const items = attentionOf({
    ...{ mandates, usage, timezone, may, now: new Date(now) },
    approvals: approvals.data && {
      total: approvals.data.total,
      first: approvals.data.data[0],
    },
    overBudget: overBudget?.total,
    webhook,
    connections: connections?.data,
    keys: keys?.data,
  })
  return { items, error, retry }
}

function useWebhookFacts(now: number): WebhookFacts | 'loading' | undefined {
  const { data: organization } = useQuery(queries.organization())
  const endpoints = organization?.webhookEndpoints ?? []
  const enabled = endpoints.length > 0
  // Whole hours, so that the question stays the same for a while.
  const from = new Date(Math.floor(now / HOUR_MS) * HOUR_MS - 24 * HOUR_MS).toISOString()
  const recent = { from, limit: 1, test: false } as const
  const failed = useQuery({ ...queries.deliveries({ ...recent, status: 'failed' }), enabled })
  const pending = useQuery({
    ...queries.deliveries({ ...recent, status: 'pending', limit: 20 }),
    enabled,
  })
  const succeeded = useQuery({ ...queries.deliveries({ ...recent, status: 'succeeded' }), enabled })
  if (!failed.data || !pending.data || !succeeded.data) {
    return [failed, pending, succeeded].some((query) => query.isLoading) ? 'loading' : undefined
  }
  return {
    failed: failed.data.total,
    paused: endpoints.filter(({ pausedReason }) => pausedReason === 'failing').length,
    lastFailed: failed.data.data[0],
    lastSucceeded: succeeded.data.data[0],
    retrying: pending.data.data.find(({ attempts }) => attempts > 1),
  }
}
