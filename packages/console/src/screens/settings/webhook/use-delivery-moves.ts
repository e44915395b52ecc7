import type { WebhookDelivery } from '@purser/sdk'
import { useNewestParam } from '../../../keys/use-newest-param.ts'
import { useShortcut } from '../../../keys/use-shortcut.ts'
import { useNavigate } from '../../../router/use-router.ts'

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
  const navigate = useNavigate()
  const newestId = useNewestParam('/settings/webhook')
  const open = (id: string) =>
    void navigate({
      ...{ to: '/settings/webhook/$id', params: { id }, search: (before) => before },
      // A drawer is one step back, however many deliveries a person looked at in it.
      replace: newestId() !== undefined,
    })
  const placeOf = (opened: string | undefined) => deliveries.findIndex(({ id }) => id === opened)
  const move = (step: 1 | -1) => {
    const delivery = deliveries[placeOf(newestId()) + step]
    if (delivery) open(delivery.id)
  }
  const at = placeOf(openId)
  useShortcut('j', () => move(1), { label: 'Next delivery', group: 'Webhook' })
  useShortcut('k', () => move(-1), { label: 'Previous delivery', group: 'Webhook' })
  return {
    open,
    next: at + 1 < deliveries.length ? () => move(1) : undefined,
    previous: at > 0 ? () => move(-1) : undefined,
    close: () => void navigate({ to: '/settings/webhook', search: (before) => before }),
  }
}
