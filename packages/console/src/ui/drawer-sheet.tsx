import { DrawerInside, type DrawerProps, headingOf } from './drawer-inside.tsx'
import { Modal } from './modal.tsx'

/** The drawer as a modal sheet over the list. On paper it stands alone. */
export function DrawerSheet(props: DrawerProps) {
  const { onClose, label } = props
  return (
    <Modal
      className="fixed inset-0 z-(--z-drawer) bg-scrim transition-opacity duration-(--m-slow) ease-standard print:bg-sheet starting:opacity-0"
      firstFocus={headingOf}
      onClose={onClose}
    >
      <div
        aria-label={label}
        aria-modal="true"
        className="fixed inset-y-0 right-0 flex w-126 max-w-full flex-col bg-sheet text-ink shadow-3 outline-none transition-[translate] duration-(--m-slow) ease-standard print:absolute print:inset-0 print:w-full print:shadow-none starting:translate-x-full"
        role="dialog"
        tabIndex={-1}
      >
        <DrawerInside {...props} />
      </div>
    </Modal>
  )
}
