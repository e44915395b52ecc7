import { useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { queries } from '../data/queries.ts'
import { Tooltip } from '../ui/tooltip.tsx'
import { formatExact, formatSpan, formatUntil } from '../words/time.ts'

interface WhenProps {
  /** An ISO 8601 timestamp. */
  readonly at: string
  /** Adds "ago", or "in", for a sentence. */
  readonly ago?: boolean
  readonly className?: string
}

/** A time relative to now. The exact time, in the organization's zone and in UTC, is on hover. */
export function When({ at, ago = false, className = '' }: WhenProps) {
  const now = useNow()
  const timezone = useTimezone()
  const time = new Date(at)
  const ms = agoOf(time.getTime(), now)
  const span = ms >= 0 ? formatSpan(ms) : formatUntil(-ms)
  const text = ago ? (ms >= 0 ? `${span} ago` : `in ${span}`) : span
  const exact = `${formatExact(time, timezone)} · ${time.toISOString()}`
  return (
    <Tooltip content={exact}>
      <time dateTime={at} className={`whitespace-nowrap ${className}`}>
        {text}
      </time>
    </Tooltip>
  )
}

/** The clocks of the gateway and of this computer differ by a few seconds. */
const CLOCKS_APART_MS = 5_000

/** How long ago. The shared present can be up to ten seconds old, so a newer moment asks again. */
function agoOf(time: number, now: number): number {
  if (time <= now) return now - time
  const ms = Date.now() - time
  return ms < 0 && ms > -CLOCKS_APART_MS ? 0 : ms
}

/** The time zone of the organization. Days and clock times follow it. */
export function useTimezone(): string {
  return useQuery(queries.organization()).data?.timezone ?? 'UTC'
}

const TICK_MS = 10_000
let now = Date.now()
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

/** The present, which all times on the page share. It changes every ten seconds. */
export function useNow(): number {
  return useSyncExternalStore(watch, () => now)
}

function watch(listener: () => void): () => void {
  if (listeners.size === 0) {
    now = Date.now()
    timer = setInterval(tick, TICK_MS)
  }
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) clearInterval(timer)
  }
}

function tick(): void {
  now = Date.now()
  for (const listener of listeners) listener()
}
