import { useEffect, useRef, useState } from 'react'
import type { FeedState } from './feed/feed.ts'
import { arrivalWords } from './sentences.ts'

/** A screen reader hears of new rows at most this often. */
const EVERY_MS = 5_000

/** Says how many transactions arrived, politely. */
export function Announcer({ state }: { readonly state: FeedState }) {
  const { arrived, arrivedRejected } = state
  const latest = useRef({ arrived, arrivedRejected })
  const [text, setText] = useState('')
  useEffect(() => {
    latest.current = { arrived, arrivedRejected }
  }, [arrived, arrivedRejected])
  useEffect(() => {
    let said = latest.current
    const timer = setInterval(() => {
      const now = latest.current
      const count = now.arrived - said.arrived
      if (count > 0) setText(arrivalWords(count, now.arrivedRejected - said.arrivedRejected))
      said = now
    }, EVERY_MS)
    return () => clearInterval(timer)
  }, [])
  return (
    <span className="sr-only" role="status">
      {text}
    </span>
  )
}
