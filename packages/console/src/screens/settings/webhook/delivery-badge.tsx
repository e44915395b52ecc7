import type { WebhookDelivery } from '@purser/sdk'
import { Ban, Check, Clock, type LucideIcon, RotateCw, X } from 'lucide-react'
import { Badge } from '../../../ui/badge.tsx'
import type { DeliveryWord } from '../../../words/words.ts'
import { wordOf } from './delivery-words.ts'

export const DELIVERY_ICONS: Readonly<Record<DeliveryWord['id'], LucideIcon>> = {
  delivered: Check,
  retrying: RotateCw,
  waiting: Clock,
  failed: X,
  canceled: Ban,
}

export function DeliveryBadge({ delivery }: { readonly delivery: WebhookDelivery }) {
  const { id, word, tone } = wordOf(delivery)
  const Icon = DELIVERY_ICONS[id]
  return (
    <Badge icon={<Icon aria-hidden="true" strokeWidth={1.75} />} tone={tone}>
      {word}
    </Badge>
  )
}
