import type { WebhookEndpoint } from '@purser/sdk'
import { Check, Pause, TriangleAlert } from 'lucide-react'
import { Badge } from '../../../ui/badge.tsx'

/** The status of an endpoint. */
export function EndpointStatus({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  const { status, pausedReason, failingSince } = endpoint
  if (status === 'paused') {
    return pausedReason === 'failing' ? (
      <Badge icon={<TriangleAlert aria-hidden="true" />} tone="no">
        Paused: failing
      </Badge>
    ) : (
      <Badge icon={<Pause aria-hidden="true" />} tone="done">
        Paused
      </Badge>
    )
  }
  if (failingSince !== null) {
    return (
      <Badge icon={<TriangleAlert aria-hidden="true" />} tone="ask">
        Failing
      </Badge>
    )
  }
  return (
    <Badge icon={<Check aria-hidden="true" />} tone="ok">
      Active
    </Badge>
  )
}
