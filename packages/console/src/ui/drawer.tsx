import { useEffect, useRef, useState } from 'react'
import { DrawerInside, type DrawerProps, headingOf } from './drawer-inside.tsx'
import { later, useLater } from './later.ts'
import { DESK, useMedia } from './use-media.ts'

const OPEN_POPUPS = ['dialog', 'alertdialog', 'menu', 'listbox']
  .map((role) => `[role="${role}"][data-open], [data-open] [role="${role}"]`)
  .join(', ')

/** Wide pages need no modal dialog, and so not its code. */
const sheet = later(() => import('./drawer-sheet.tsx'))

/**
 * Stands beside the list from 1280 px on, where the list stays usable. Below that it is a modal
 * sheet over the list. The parent is a row with a fixed height, as is the drawer.
 */
export function Drawer(props: DrawerProps) {
  const isBeside = useMedia(DESK)
  const [wasOpen, setWasOpen] = useState(props.open)
  if (props.open && !wasOpen) setWasOpen(true)
  const part = useLater(sheet, wasOpen && !isBeside)
  if (isBeside) return props.open ? <Beside {...props} /> : null
  return part ? <part.DrawerSheet {...props} /> : null
}

function Beside(props: DrawerProps) {
  const { label, onClose, keepFocus = false } = props
  const aside = useRef<HTMLElement>(null)
  const isFocusKept = useRef(keepFocus)
  useEffect(() => {
    if (isFocusKept.current) return
    const element = aside.current
    const before = document.activeElement
    headingOf(element)?.focus({ preventScroll: true })
    return () => {
      // Only a focus that would be lost goes back. One that a person moved stays.
      const now = document.activeElement
      const isLost = now === document.body || now === null || element?.contains(now) === true
      if (isLost && before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  useEffect(() => {
    // Escape in a popup above the drawer closes that one alone. Whether one is open must be known
    // before it closes itself, so the question comes in the capture phase.
    let hasPopup = false
    function look({ key }: KeyboardEvent) {
      if (key !== 'Escape') return
      hasPopup = document.querySelector(OPEN_POPUPS) !== null
    }
    function closeByKey(event: KeyboardEvent) {
      if (event.key !== 'Escape' || event.defaultPrevented || hasPopup) return
      event.preventDefault()
      onClose()
    }
    document.addEventListener('keydown', look, true)
    document.addEventListener('keydown', closeByKey)
    return () => {
      document.removeEventListener('keydown', look, true)
      document.removeEventListener('keydown', closeByKey)
    }
  }, [onClose])
  return (
    <aside
      aria-label={label}
      className="flex h-full max-h-full min-h-0 w-126 shrink-0 flex-col overflow-hidden rounded-r-4 border-l border-line bg-sheet shadow-[-12px_0_32px_-20px_rgb(19_33_45/0.18)] transition-opacity duration-(--m-base) ease-standard starting:opacity-60"
      ref={aside}
    >
      <DrawerInside {...props} />
    </aside>
  )
}
