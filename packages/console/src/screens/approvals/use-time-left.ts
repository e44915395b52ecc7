import { useEffect, useState } from 'react'
import { nextChange, type TimeLeft, timeLeft } from './time-left.ts'

/** The time left, which changes by itself: each second in the last minute. */
export function useTimeLeft(expiresAt: string): TimeLeft {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    // A new time starts the next tick.
    const wait = nextChange(Date.parse(expiresAt) - now)
    const timer = setTimeout(() => setNow(Date.now()), wait)
    return () => clearTimeout(timer)
  }, [expiresAt, now])
  return timeLeft(expiresAt, now)
}
