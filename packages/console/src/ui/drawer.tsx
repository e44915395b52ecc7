import { Dialog } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { IconButton } from './icon-button.tsx'
import { DESK, useMedia } from './use-media.ts'

export interface DrawerProps {
  open: boolean
  onClose: () => void
  /** The sentence that names the drawer for screen readers. */
  label: string
  /** The heading. Its `h2` gets the focus when the drawer opens. */
  header: ReactNode
  /** Buttons between the heading and the cross, such as next and previous. */
  actions?: ReactNode
  children: ReactNode
  footer?: ReactNode
  /** Leaves the focus where it is, when a key of the list opened the drawer. */
  keepFocus?: boolean | undefined
}

const OPEN_POPUPS = ['dialog', 'alertdialog', 'menu', 'listbox']
  .map((role) => `[role="${role}"][data-open], [data-open] [role="${role}"]`)
  .join(', ')

/**
 * Stands beside the list from 1280 px on, where the list stays usable. Below that it is a modal
 * sheet over the list. The parent is a row with a fixed height, as is the drawer.
 */
export function Drawer(props: DrawerProps) {
  const isBeside = useMedia(DESK)
  if (isBeside) return props.open ? <Beside {...props} /> : null
  return <Sheet {...props} />
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
    function look() {
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
      <Inside {...props} />
    </aside>
  )
}

function Sheet(props: DrawerProps) {
  const { open, onClose, label } = props
  const popup = useRef<HTMLDivElement>(null)
  return (
    <Dialog.Root
      onOpenChange={(next) => {
        if (!next) onClose()
      }}
      open={open}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-(--z-drawer) bg-scrim transition-opacity duration-(--m-slow) ease-standard data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Dialog.Popup
          aria-label={label}
          className="fixed inset-y-0 right-0 z-(--z-drawer) flex w-126 max-w-full flex-col bg-sheet text-ink shadow-3 outline-none transition-[translate] duration-(--m-slow) ease-standard data-ending-style:translate-x-full data-starting-style:translate-x-full"
          initialFocus={() => headingOf(popup.current) ?? true}
          ref={popup}
        >
          <Inside {...props} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function headingOf(element: HTMLElement | null): HTMLElement | null {
  const heading = element?.querySelector<HTMLElement>('h2') ?? element ?? null
  if (heading && !heading.hasAttribute('tabindex')) heading.tabIndex = -1
  return heading
}

function Inside({ header, actions, children, footer, onClose }: DrawerProps) {
  return (
    <>
      <header className="flex min-h-14 shrink-0 items-center gap-1 border-b border-line pr-3 pl-5 [&_h2]:font-strong [&_h2]:outline-none">
        <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2">{header}</div>
        {actions}
        <IconButton
          icon={<X aria-hidden="true" size={14} />}
          kbd={['Esc']}
          label="Close"
          onClick={onClose}
          size="sm"
        />
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain">{children}</div>
      {footer !== undefined && (
        <footer className="flex shrink-0 flex-wrap gap-2 border-t border-line bg-sheet px-5 py-2.5 pb-[max(0.625rem,env(safe-area-inset-bottom))]">
          {footer}
        </footer>
      )}
    </>
  )
}
