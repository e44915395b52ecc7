import { useLiveState } from '../../data/stream/use-live.ts'
import { useNow, useTimezone } from '../../parts/when.tsx'
import { LiveDot } from '../../ui/live-dot.tsx'
import { formatSpan, formatTime } from '../../words/time.ts'

/** Whether the page follows the gateway, and up to when its sums are counted. */
export function LiveNote({ countedUpTo }: { readonly countedUpTo: string | undefined }) {
  const state = useLiveState()
  const timezone = useTimezone()
  const now = useNow()
  const isLive = state.kind === 'live'
  return (
    <span className="flex items-center gap-2 text-small max-phone:hidden" data-print="none">
      <LiveDot state={isLive ? 'live' : 'off'} />
      {isLive ? 'Live' : null}
      {state.kind === 'connecting' ? 'Connecting' : null}
      {state.kind === 'polling'
        ? `Live updates are off. Trying again in ${formatSpan(Math.max(0, state.retryAt - now))}.`
        : null}
      {countedUpTo ? `, counted up to ${formatTime(new Date(countedUpTo), timezone)}` : null}
    </span>
  )
}
