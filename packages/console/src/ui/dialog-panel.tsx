import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import type { ReactNode, RefObject } from 'react'
import { cx } from './cx.ts'
import { IconButton } from './icon-button.tsx'

export interface DialogProps {
  open: boolean
  onClose: () => void
  title: ReactNode
  description?: ReactNode
  children?: ReactNode
  /** Buttons at the end, a note before them. */
  footer?: ReactNode
  size?: 'sm' | 'md' | 'lg' | undefined
  /** The element that gets the focus. Otherwise the first one that can have it. */
  initialFocus?: RefObject<HTMLElement | null> | undefined
  /** An alert dialog: a press beside it does not close it, and it has no cross. */
  alert?: boolean | undefined
  /** Wraps everything in a form, so that Enter sends it. */
  onSubmit?: (() => void) | undefined
}

const WIDTH = { sm: 'max-w-120', md: 'max-w-155', lg: 'max-w-190' }

/** The dialog itself, with its backdrop. */
export function DialogPanel(props: DialogProps) {
  const { open, onClose, size = 'md', initialFocus, alert = false, onSubmit } = props
  const inside = <Inside {...props} />
  return (
    <Base.Root
      disablePointerDismissal={alert}
      onOpenChange={(next) => {
        if (!next) onClose()
      }}
      open={open}
    >
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-(--z-dialog) bg-scrim transition-opacity duration-(--m-base) ease-standard data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Base.Viewport className="fixed inset-0 z-(--z-dialog) flex items-start justify-center overflow-y-auto px-4 pt-[9vh] pb-6 max-phone:pt-6">
          <Base.Popup
            className={cx(
              'relative w-full rounded-4 border border-transparent bg-raised text-ink shadow-3 outline-none transition-[opacity,translate] duration-(--m-base) ease-standard data-ending-style:opacity-0 data-starting-style:-translate-y-1 data-starting-style:opacity-0 forced-colors:border',
              WIDTH[size],
            )}
            data-dialog=""
            initialFocus={initialFocus}
            role={alert ? 'alertdialog' : 'dialog'}
          >
            {onSubmit ? (
              <form
                noValidate
                onSubmit={(event) => {
                  event.preventDefault()
                  // React sends this event up to a form around the dialog, even through the portal.
                  event.stopPropagation()
                  onSubmit()
                }}
              >
                {inside}
              </form>
            ) : (
              inside
            )}
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  )
}

function Inside({ title, description, children, footer, alert, onClose }: DialogProps) {
  return (
    <>
      <header className={cx('pt-4.5 pl-5', alert ? 'pr-5' : 'pr-14')}>
        <Base.Title className="text-lead font-strong tracking-tight">{title}</Base.Title>
        {description !== undefined && (
          <Base.Description className="mt-0.5 text-ink-2" render={<div />}>
            {description}
          </Base.Description>
        )}
      </header>
      <div className="px-5 py-4">{children}</div>
      {footer !== undefined && (
        <footer className="flex flex-wrap items-center justify-end gap-2 border-t border-line px-5 py-3">
          {footer}
        </footer>
      )}
      {/* Last in the order of the keyboard, so that the first field gets the focus. */}
      {!alert && (
        <div className="absolute top-3.5 right-3">
          <IconButton icon={<X aria-hidden="true" />} label="Close" onClick={onClose} />
        </div>
      )}
    </>
  )
}
