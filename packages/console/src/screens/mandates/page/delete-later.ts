import { toast } from '../../../ui/toast.tsx'

/** As long as the toast with Undo is shown. */
const UNDO_MS = 8_000

/**
 * Deletes after eight seconds, unless the person takes it back. What the gateway has deleted cannot
 * be restored, so Undo means that the request is never sent. A page that closes sends it at once.
 */
export function deleteLater(text: string, send: () => Promise<unknown>, onDone: () => void): void {
  let isOver = false
  const run = () => {
    if (isOver) return
    isOver = true
    removeEventListener('pagehide', run)
    send().then(onDone, () => toast('It could not be deleted. Nothing was changed.'))
  }
  const timer = setTimeout(run, UNDO_MS)
  addEventListener('pagehide', run)
  toast(text, {
    undo: () => {
      isOver = true
      clearTimeout(timer)
      removeEventListener('pagehide', run)
    },
  })
}
