import { Clock } from 'lucide-react'
import { useTimezone } from '../../parts/when.tsx'
import { Tooltip } from '../../ui/tooltip.tsx'
import { formatExact, formatTime } from '../../words/time.ts'
import { useTimeLeft } from './use-time-left.ts'

interface CountdownProps {
  readonly expiresAt: string
  /** Adds the clock time: "12 min left, until 10:53". */
  readonly withTime?: boolean
}

/** How long the request still waits. Under 15 minutes it is brass and bold. */
export function Countdown({ expiresAt, withTime = false }: CountdownProps) {
  const { text, isSoon } = useTimeLeft(expiresAt)
  const timezone = useTimezone()
  const at = new Date(expiresAt)
  const look = isSoon ? 'font-strong text-ask' : 'text-ink-2'
  return (
    <Tooltip content={`Expires ${formatExact(at, timezone)}`}>
      <time
        className={`inline-flex items-center gap-1 align-middle text-small whitespace-nowrap ${look}`}
        dateTime={expiresAt}
        role="timer"
      >
        <Clock aria-hidden size={13} strokeWidth={1.25} />
        {text}
        {withTime ? `, until ${formatTime(at, timezone)}` : ''}
      </time>
    </Tooltip>
  )
}
