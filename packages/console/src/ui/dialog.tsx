import { useState } from 'react'
import type { DialogProps } from './dialog-panel.tsx'
import { later, useLater } from './later.ts'
import { useDelayed } from './use-delayed.ts'

const panel = later(() => import('./dialog-panel.tsx'))

/** A modal dialog. Its code loads when it is first opened; a slow load dims the page meanwhile. */
export function Dialog(props: DialogProps) {
  const { open } = props
  const [wasOpen, setWasOpen] = useState(open)
  if (open && !wasOpen) setWasOpen(true)
  const part = useLater(panel, wasOpen)
  const isSlow = useDelayed(open && part === undefined)
  if (part) return <part.DialogPanel {...props} />
  return isSlow ? (
    <div aria-busy className="fixed inset-0 z-(--z-dialog) cursor-progress bg-scrim" />
  ) : null
}
