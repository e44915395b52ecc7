import { useEffect, useRef } from 'react'
import { DrawerInside, type DrawerProps, headingOf } from './drawer-inside.tsx'
import { DrawerSheet } from './drawer-sheet.tsx'
import { useEscape } from './use-escape.ts'
import { DESK, useMedia } from './use-media.ts'

/**
 * Stands beside the list from 1280 px on, where the list stays usable. Below that it is a modal
 * sheet over the list. The parent is a row with a fixed height, as is the drawer.
 */
export function Drawer(props: DrawerProps) {
  const isBeside = useMedia(DESK)
  if (!props.open) return null
  return isBeside ? <Beside {...props} /> : <DrawerSheet {...props} />
}

function Beside(props: DrawerProps) {
  const { label, onClose, keepFocus = false } = props
  const aside = useRef<HTMLElement>(null)
  const isFocusKept = useRef(keepFocus)
  useEscape(onClose)
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
