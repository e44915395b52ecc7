import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { TONE_CLASS } from '../ui/tone.ts'
import { formatExact, formatShortDay, formatTime } from '../words/time.ts'
import type { Tone } from '../words/words.ts'
import { useTimezone } from './when.tsx'

export interface TimelinePoint {
  readonly key: string
  readonly icon: LucideIcon
  /** Without a tone the point is plain. */
  readonly tone?: Tone | undefined
  /** An ISO 8601 timestamp; null if the moment is not known. */
  readonly at: string | null
  /** The event, with a link to its place. */
  readonly text: ReactNode
  /** It has not happened yet: the point is hollow. */
  readonly isPlanned?: boolean | undefined
}

interface TimelineProps {
  readonly points: readonly TimelinePoint[]
  /** The name of the list for screen readers. */
  readonly label: string
}

/** Events in order, with the exact time. Points that are still to come are hollow. */
export function Timeline({ points, label }: TimelineProps) {
  return (
    <ol aria-label={label} className="flex flex-col">
      {points.map((point) => (
        <Point key={point.key} point={point} />
      ))}
    </ol>
  )
}

function Point({ point }: { readonly point: TimelinePoint }) {
  const { icon: Icon, tone, at, text, isPlanned = false } = point
  return (
    <li
      className={`group/point relative flex items-start gap-2.5 pb-3 last:pb-0 ${tone ? TONE_CLASS[tone] : ''}`}
    >
      {/* The line to the next point is dashed where the future begins. */}
      <span
        aria-hidden
        className={`absolute top-5.5 bottom-0 left-2 w-0 border-l border-line-strong group-last/point:hidden ${isPlanned ? 'border-dashed' : ''}`}
      />
      <span
        aria-hidden
        className={`mt-0.5 grid size-4.25 flex-none place-items-center ${isPlanned ? 'rounded-full border border-dashed border-line-control' : ''}`}
      >
        <Icon
          size={isPlanned ? 10 : 14}
          strokeWidth={1.75}
          className={tone && !isPlanned ? 'text-tone' : 'text-ink-3'}
        />
      </span>
      <span data-prose="" className={`min-w-0 flex-1 text-pretty ${isPlanned ? 'text-ink-2' : ''}`}>
        {text}
      </span>
      {at === null ? null : <ExactTime at={at} />}
    </li>
  )
}

/** The clock time to the millisecond. The day is added if it is not the current one. */
function ExactTime({ at }: { readonly at: string }) {
  const timezone = useTimezone()
  const time = new Date(at)
  const day = formatShortDay(time, timezone)
  const isToday = day === formatShortDay(new Date(), timezone)
  const clock = `${formatTime(time, timezone, true)}.${at.slice(20, 23).padEnd(3, '0')}`
  return (
    <time
      dateTime={at}
      title={`${formatExact(time, timezone)} · ${time.toISOString()}`}
      className="flex-none pt-px text-right text-small text-ink-3"
    >
      {isToday ? clock : `${day}, ${clock}`}
    </time>
  )
}
