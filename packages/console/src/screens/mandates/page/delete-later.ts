import { toast } from '../../../ui/toast.tsx'
import { hideMandate, showMandate } from '../leaving.ts'

/** As long as the toast with Undo is shown. */
const UNDO_MS = 8_000

interface Deletion {
  readonly id: string
  /** The text of the toast. */
  readonly text: string
  readonly send: () => Promise<unknown>
  /** Reads the lists again. */
  readonly refresh: () => Promise<unknown>
}

/**
 * Deletes after eight seconds, unless the person takes it back. The gateway cannot restore a deleted
 * mandate, so Undo means that the request is never sent. A page that closes sends it at once. The
 * lists hide the mandate from the start.
 */
export function deleteLater({ id, text, send, refresh }: Deletion): void {
  let isOver = false
  const run = () => {
    if (isOver) return
    isOver = true
    removeEventListener('pagehide', run)
    send()
      .then(refresh, () => toast('It could not be deleted. Nothing was changed.'))
      .finally(() => showMandate(id))
  }
  const timer = setTimeout(run, UNDO_MS)
  addEventListener('pagehide', run)
  hideMandate(id)
  toast(text, {
    undo: () => {
      isOver = true
      clearTimeout(timer)
      removeEventListener('pagehide', run)
      showMandate(id)
    },
  })
}
