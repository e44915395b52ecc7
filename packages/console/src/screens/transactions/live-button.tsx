import { Pause, Play } from 'lucide-react'
import { memo, useEffect, useState } from 'react'
import { useLiveState } from '../../data/stream/use-live.ts'
import { useShortcut } from '../../keys/use-shortcut.ts'
import { useNow } from '../../parts/when.tsx'
import { Button } from '../../ui/button.tsx'
import { LiveDot } from '../../ui/live-dot.tsx'
import { formatSpan, formatTime } from '../../words/time.ts'

interface LiveButtonProps {
  readonly isPaused: boolean
  readonly onPause: (isPaused: boolean) => void
}

const WORDS = { live: 'Live', connecting: 'Connecting', polling: 'Every 15 s' } as const

/** How the list is kept up to date, and the way to pause it. */
export const LiveButton = memo(function LiveButton({ isPaused, onPause }: LiveButtonProps) {
  const state = useLiveState()
  const toggle = () => onPause(!isPaused)
  useShortcut('p', toggle, {
    ...{
      label: isPaused ? 'Go on with live updates' : 'Pause live updates',
      group: 'Transactions',
    },
  })
  const word = isPaused ? 'Paused' : WORDS[state.kind]
  const Icon = isPaused ? Play : Pause
  return (
    <Button
      onClick={toggle}
      aria-pressed={isPaused}
      title={isPaused ? 'Go on with live updates (p)' : 'Pause live updates (p)'}
    >
      <span className="flex items-center gap-2">
        <LiveDot state={isPaused ? 'paused' : state.kind === 'live' ? 'live' : 'off'} />
        {word}
        <Icon size={13} strokeWidth={1.75} className="text-ink-2" aria-hidden />
      </span>
    </Button>
  )
})

interface LiveLineProps {
  readonly isPaused: boolean
  readonly waiting: number
  readonly timezone: string
}

/** "Paused at 10:41. 12 new since." or that the stream is off. */
export function LiveLine({ isPaused, waiting, timezone }: LiveLineProps) {
  const state = useLiveState()
  const now = useNow()
  const [pausedAt, setPausedAt] = useState<Date | null>(null)
  useEffect(() => setPausedAt(isPaused ? new Date() : null), [isPaused])
  if (isPaused && pausedAt) {
    const since = waiting === 0 ? '' : ` ${waiting.toLocaleString('en')} new since.`
    return <Line>{`Paused at ${formatTime(pausedAt, timezone)}.${since}`}</Line>
  }
  if (state.kind !== 'polling') return null
  const wait = formatSpan(Math.max(1_000, state.retryAt - now))
  return <Line>{`Live updates are off. Trying again in ${wait}.`}</Line>
}

function Line({ children }: { readonly children: string }) {
  return (
    <p
      role="status"
      className="border-t border-line bg-ask-soft px-4 py-1.5 text-small text-ink-2 tablet:px-6"
    >
      {children}
    </p>
  )
}
