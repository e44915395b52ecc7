import { Bell, BellOff, BellRing } from 'lucide-react'
import { switchNotify, useNotifyState } from '../../data/notify.ts'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { toast } from '../../ui/toast.tsx'

const LABEL = 'Notify me of new requests'
const BLOCKED = 'Your browser blocks notifications of this page. Allow them in its settings.'

/** Notifications of the browser about new requests. They begin with a press, never by themselves. */
export function NotifyButton({ isWide = false }: { readonly isWide?: boolean }) {
  const state = useNotifyState()
  if (state === 'missing') return null
  const isOn = state === 'on'
  const Icon = state === 'denied' ? BellOff : isOn ? BellRing : Bell
  const props = {
    'aria-pressed': isOn,
    icon: <Icon aria-hidden size={16} strokeWidth={1.5} />,
    disabledReason: state === 'denied' ? BLOCKED : undefined,
    onClick: () => {
      void switchNotify(!isOn).then(() => {
        if (isOn) toast('Notifications are off.')
        else if (Notification.permission === 'granted') {
          toast('New requests show a notification in this browser.')
        }
      })
    },
  }
  if (!isWide) return <IconButton label={LABEL} {...props} />
  return (
    <Button variant="quiet" {...props}>
      {LABEL}
    </Button>
  )
}
