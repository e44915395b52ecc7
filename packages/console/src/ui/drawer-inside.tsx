import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from './icon-button.tsx'

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

/** The heading, which gets the focus when the drawer opens. */
export function headingOf(element: HTMLElement | null): HTMLElement | null {
  const heading = element?.querySelector<HTMLElement>('h2') ?? element ?? null
  if (heading && !heading.hasAttribute('tabindex')) heading.tabIndex = -1
  return heading
}

/** The content of a drawer, the same beside the list and over it. */
export function DrawerInside({ header, actions, children, footer, onClose }: DrawerProps) {
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
        <footer
          data-print="none"
          className="flex shrink-0 flex-wrap gap-2 border-t border-line bg-sheet px-5 py-2.5 pb-[max(0.625rem,env(safe-area-inset-bottom))]"
        >
          {footer}
        </footer>
      )}
    </>
  )
}
