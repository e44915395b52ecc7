import { firstControl, Modal } from '../ui/modal.tsx'
import { PaletteBody } from './palette-body.tsx'
import { closeLayer } from './palette-state.ts'

/** Search or run a command: Ctrl-K on every page. */
export function Palette() {
  return (
    <Modal
      className="fixed inset-0 z-(--z-palette) flex items-start justify-center bg-scrim px-4 pt-[12vh] max-phone:pt-4"
      firstFocus={firstControl}
      onClose={closeLayer}
    >
      <div
        aria-label="Search or run a command"
        aria-modal="true"
        className="w-full max-w-160 overflow-hidden rounded-4 border border-transparent bg-raised shadow-3 outline-none forced-colors:border"
        data-dialog=""
        role="dialog"
        tabIndex={-1}
      >
        <PaletteBody onDone={closeLayer} />
      </div>
    </Modal>
  )
}
