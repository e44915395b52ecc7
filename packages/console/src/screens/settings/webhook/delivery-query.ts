import type { FailedRedelivery, WebhookDeliveryDetail } from '@purser/sdk'
import { queryOptions } from '@tanstack/react-query'
import { purser } from '../../../data/client.ts'

const SOON_MS = 700

/** One delivery. While its first attempt is under way, the page asks again every moment. */
export function deliveryQuery(id: string) {
  return queryOptions({
    queryKey: ['deliveries', 'one', id, 'detail'],
    queryFn: async ({ signal }) =>
      (await purser.webhooks.deliveries.get(id, { signal })) as WebhookDeliveryDetail,
    refetchInterval: ({ state }) => (isUnderWay(state.data) ? SOON_MS : false),
  })
}

function isUnderWay(delivery: WebhookDeliveryDetail | undefined): boolean {
  if (delivery === undefined) return false
  if (delivery.attemptLog.at(-1)?.outcome === 'started') return true
  return delivery.status === 'pending' && delivery.attempts === 0
}

/** The task that sends failed deliveries again, and its progress. */
export function resendQuery() {
  return queryOptions({
    queryKey: ['deliveries', 'resend'],
    queryFn: async ({ signal }) =>
      (await purser.webhooks.deliveries.get('failed', { signal })) as FailedRedelivery,
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? SOON_MS : false),
  })
}
