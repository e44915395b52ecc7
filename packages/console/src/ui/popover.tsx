import { useState } from 'react'
import { later, useLater } from './later.ts'
import type { PopoverProps } from './popover-panel.tsx'
import { PopupTrigger } from './popup-trigger.tsx'

const panel = later(() => import('./popover-panel.tsx'))

/** A small panel at its button: a filter, a help text with links. Its code loads on the first use. */
export function Popover(props: PopoverProps) {
  const [isOwnOpen, setOwnOpen] = useState(false)
  const isOpen = props.open ?? isOwnOpen
  const [wasOpen, setWasOpen] = useState(isOpen)
  if (isOpen && !wasOpen) setWasOpen(true)
  const part = useLater(panel, wasOpen)
  function setOpen(open: boolean) {
    setOwnOpen(open)
    props.onOpenChange?.(open)
  }
  if (part) return <part.PopoverPanel {...props} onOpenChange={setOpen} open={isOpen} />
  return (
    <PopupTrigger
      isWaiting={isOpen}
      kind="dialog"
      onOpen={() => setOpen(true)}
      part={panel}
      trigger={props.trigger}
    />
  )
}
