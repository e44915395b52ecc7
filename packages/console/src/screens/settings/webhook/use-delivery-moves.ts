import type { WebhookDelivery } from '@purser/sdk'
import { useNavigate } from '@tanstack/react-router'
import { useShortcut } from '../../../keys/use-shortcut.ts'

export interface DeliveryMoves {
  readonly open: (id: string) => void
  readonly close: () => void
  /** Opens the delivery after the open one, which is older; undefined at the end of the list. */
  readonly next: (() => void) | undefined
  readonly previous: (() => void) | undefined
}

/** Opens deliveries: by a press, by `j` and `k`, and by the arrows of the drawer. */
export function useDeliveryMoves(
  deliveries: readonly WebhookDelivery[],
  openId: string | undefined,
): DeliveryMoves {
  const navigate = useNavigate({ from: '/settings/webhook' })
  const open = (id: string) =>
    void navigate({
      ...{ to: '/settings/webhook/$id', params: { id }, search: (before) => before },
      // A drawer is one step back, however many deliveries a person looked at in it.
      replace: openId !== undefined,
      resetScroll: false,
    })
  const at = deliveries.findIndex(({ id }) => id === openId)
  const step = (delivery: WebhookDelivery | undefined) =>
    delivery === undefined ? undefined : () => open(delivery.id)
  const next = step(deliveries[at + 1])
  const previous = step(deliveries[at - 1])
  useShortcut('j', () => next?.(), { label: 'Next delivery', group: 'Webhook' })
  useShortcut('k', () => previous?.(), { label: 'Previous delivery', group: 'Webhook' })
  return {
    ...{ open, next, previous },
    close: () =>
      void navigate({ to: '/settings/webhook', search: (before) => before, resetScroll: false }),
  }
}
