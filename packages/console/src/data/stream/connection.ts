import { type Broadcast, EVENT_KINDS, type LiveState } from './events.ts'
import { createUnread } from './unread.ts'

const URL = '/api/v1/events'
/** The browser repeats a lost connection itself. After these failures the page polls meanwhile. */
const FAILURES_MAX = 3
const RETRY_MS = 20_000

/**
 * Holds the connection of the leading tab until the signal ends it. The browser resumes with
 * `Last-Event-ID`; if it cannot, the stream starts at the present, and a gap is announced. So it is
 * for a tab that had live updates before (`isLater`), because events may have come meanwhile.
 */
export function followEvents(
  tell: (message: Broadcast) => void,
  signal: AbortSignal,
  isLater: boolean,
): void {
  let source: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  let isGap = isLater
  const unread = createUnread({
    tell: (events) => tell({ type: 'events', events }),
    schedule: (run) => setTimeout(run),
    now: () => performance.now(),
  })
  const setState = (state: LiveState) => tell({ type: 'state', state })

  function open(): void {
    if (signal.aborted) return
    setState({ kind: 'connecting' })
    const opened = new EventSource(URL)
    source = opened
    opened.onopen = () => {
      // The connection may have been away for longer than the browser's resume covers.
      if (failures > 0 || isGap) tell({ type: 'gap' })
      failures = 0
      isGap = false
      setState({ kind: 'live' })
    }
    opened.onerror = () => {
      failures += 1
      const isOver = opened.readyState === EventSource.CLOSED
      if (isOver || failures >= FAILURES_MAX) reopenLater(opened)
      else setState({ kind: 'connecting' })
    }
    for (const name of [...EVENT_KINDS, 'hint']) {
      opened.addEventListener(name, ({ data }: MessageEvent<string>) => {
        unread.add(name, data)
      })
    }
    opened.addEventListener('gap', () => tell({ type: 'gap' }))
  }

  function reopenLater(ended: EventSource): void {
    ended.close()
    setState({ kind: 'polling', retryAt: Date.now() + RETRY_MS })
    tell({ type: 'gap' })
    clearTimeout(timer)
    timer = setTimeout(open, RETRY_MS)
  }

  signal.addEventListener('abort', () => {
    clearTimeout(timer)
    source?.close()
    unread.end()
  })
  open()
}
