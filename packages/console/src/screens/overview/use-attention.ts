import { useQuery } from '@tanstack/react-query'
import { queries } from '../../data/queries.ts'
import { useMay } from '../../data/session.ts'
import { useNow, useTimezone } from '../../parts/when.tsx'
import { attentionOf } from './attention.ts'
import type { Attention } from './attention-item.ts'
import type { WebhookFacts } from './attention-webhook.ts'
import { stateOf } from './budget-rows.ts'

const HOUR_MS = 3_600_000

/** What needs a person now. Lists that the member may not read are left out. */
export function useAttention(): readonly Attention[] {
  const now = useNow()
  const timezone = useTimezone()
  const approvals = useQuery(queries.approvals({ status: 'pending' }))
  const { data: mandates, isPending } = useQuery(queries.activeMandates())
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
  const waiting = approvals.data?.data ?? []
  // The list appears once, with everything in it, so that it pushes the page down only once.
  if (approvals.isPending || isPending || webhook === 'loading') return []
  return attentionOf({
    ...{ mandates, usage, timezone, now: new Date(now) },
    approvals: approvals.data && {
      total: approvals.data.total,
      first: waiting.toSorted((a, b) => a.expiresAt.localeCompare(b.expiresAt))[0],
    },
    overBudget: overBudget?.total,
    webhook,
    connections: connections?.data,
    keys: keys?.data,
  })
}

function useWebhookFacts(now: number): WebhookFacts | 'loading' | undefined {
  const { data: organization } = useQuery(queries.organization())
  const enabled = (organization?.webhookUrl ?? null) !== null
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
    lastFailed: failed.data.data[0],
    lastSucceeded: succeeded.data.data[0],
    retrying: pending.data.data.find(({ attempts }) => attempts > 1),
  }
}
