import { formatSpan } from '../../words/time.ts'

const MINUTE_MS = 60_000
/** From here on a person should hurry. */
const SOON_MS = 15 * MINUTE_MS

export interface TimeLeft {
  readonly ms: number
  /** "12 min left". */
  readonly text: string
  readonly isSoon: boolean
}

/** How long a request still waits. The gateway's clock decides, so the end is never said here. */
export function timeLeft(expiresAt: string, now: number): TimeLeft {
  const ms = Date.parse(expiresAt) - now
  return {
    ms,
    text: ms < 1_000 ? 'expires now' : `${formatSpan(ms)} left`,
    isSoon: ms < SOON_MS,
  }
}

/** When the text changes next: each second in the last minute, otherwise with the minute. */
export function nextChange(ms: number): number {
  if (ms < 0) return MINUTE_MS
  if (ms <= MINUTE_MS) return 1_000
  return Math.min(MINUTE_MS, (ms % MINUTE_MS) + 1)
}
