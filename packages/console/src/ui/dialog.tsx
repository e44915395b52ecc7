import { X } from 'lucide-react'
import { type ReactNode, type RefObject, useId } from 'react'
import { cx } from './cx.ts'
import { IconButton } from './icon-button.tsx'
import { firstControl, Modal } from './modal.tsx'

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

/** A modal dialog. */
export function Dialog(props: DialogProps) {
  return props.open ? <Open {...props} /> : null
}

function Open(props: DialogProps) {
  const { onClose, size = 'md', initialFocus, alert = false, onSubmit } = props
  const id = useId()
  const inside = <Inside {...props} id={id} />
  return (
    <Modal
      className="fixed inset-0 z-(--z-dialog) flex items-start justify-center overflow-y-auto bg-scrim px-4 pt-[9vh] pb-6 transition-opacity duration-(--m-base) ease-standard max-phone:pt-6 starting:opacity-0"
      firstFocus={(layer) => firstControl(layer, initialFocus)}
      keepsOpen={alert}
      onClose={onClose}
    >
      {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: both roles have a name and a text */}
      <div
        aria-describedby={props.description === undefined ? undefined : `${id}-text`}
        aria-labelledby={`${id}-title`}
        aria-modal="true"
        className={cx(
          'relative w-full rounded-4 border border-transparent bg-raised text-ink shadow-3 outline-none transition-[translate] duration-(--m-base) ease-standard starting:-translate-y-1 forced-colors:border',
          WIDTH[size],
        )}
        data-dialog=""
        role={alert ? 'alertdialog' : 'dialog'}
        tabIndex={-1}
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
      </div>
    </Modal>
  )
}

function Inside(props: DialogProps & { id: string }) {
  const { id, title, description, children, footer, alert, onClose } = props
  return (
    <>
      <header className={cx('pt-4.5 pl-5', alert ? 'pr-5' : 'pr-14')}>
        <h2 className="text-lead font-strong tracking-tight" id={`${id}-title`}>
          {title}
        </h2>
        {description !== undefined && (
          <div className="mt-0.5 text-ink-2" id={`${id}-text`}>
            {description}
          </div>
        )}
      </header>
      <div className="px-5 py-4">{children}</div>
      {footer !== undefined && (
        // A button with a long name has two lines.
        <footer className="flex flex-wrap items-center justify-end gap-2 border-t border-line px-5 py-3 *:max-w-full *:py-1 *:whitespace-normal *:wrap-anywhere">
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
