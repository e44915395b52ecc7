import { Dialog } from '@base-ui/react/dialog'
import { useRef } from 'react'
import { DrawerInside, type DrawerProps, headingOf } from './drawer-inside.tsx'

/** The drawer as a modal sheet over the list. On paper it stands alone. */
export function DrawerSheet(props: DrawerProps) {
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
        <Dialog.Backdrop className="fixed inset-0 z-(--z-drawer) bg-scrim transition-opacity print:bg-sheet duration-(--m-slow) ease-standard data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Dialog.Popup
          aria-label={label}
          className="fixed inset-y-0 right-0 z-(--z-drawer) flex w-126 max-w-full flex-col bg-sheet text-ink shadow-3 outline-none print:absolute print:inset-0 print:w-full print:shadow-none transition-[translate] duration-(--m-slow) ease-standard data-ending-style:translate-x-full data-starting-style:translate-x-full"
          initialFocus={() => headingOf(popup.current) ?? true}
          ref={popup}
        >
          <DrawerInside {...props} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
