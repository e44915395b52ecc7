import { Dialog } from '@base-ui/react/dialog'
import { useState } from 'react'
import { PaletteBody } from './palette-body.tsx'
import { closeLayer } from './palette-state.ts'

/** Search or run a command: Ctrl-K on every page. */
export function Palette() {
  // The field takes the focus as it appears, so the dialog would not know where the focus was.
  const [before] = useState(() => document.activeElement)
  return (
    <Dialog.Root
      open
      onOpenChange={(isOpen) => {
        if (!isOpen) closeLayer()
      }}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-(--z-palette) bg-scrim" />
        <Dialog.Viewport className="fixed inset-0 z-(--z-palette) flex items-start justify-center px-4 pt-[12vh] max-phone:pt-4">
          <Dialog.Popup
            className="w-full max-w-160 overflow-hidden rounded-4 border border-transparent bg-raised shadow-3 outline-none forced-colors:border"
            data-dialog=""
            finalFocus={() =>
              before instanceof HTMLElement && before.isConnected ? before : undefined
            }
          >
            <Dialog.Title className="sr-only">Search or run a command</Dialog.Title>
            <PaletteBody onDone={closeLayer} />
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
