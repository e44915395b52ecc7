import { useEffect, useRef, useState } from 'react'

interface TypedText {
  /** The text of the address. */
  readonly value: string
  /** Writes the text into the address. */
  readonly write: (text: string) => void
  /** The address follows this long after the last key. */
  readonly waitMs: number
  /** Whether a text belongs into the address. Default: every text does. */
  readonly isWanted?: (text: string) => boolean
}

/**
 * The text of a field that the address follows. A change of the address from outside, such as Back,
 * replaces the text. Keys that were pressed while the address changed are kept.
 */
export function useTypedText({ value, write, waitMs, isWanted }: TypedText) {
  const [text, setText] = useState(value)
  const written = useRef(value)
  const latest = useRef({ write, isWanted })
  useEffect(() => {
    latest.current = { write, isWanted }
  })
  useEffect(() => {
    if (value === written.current) return
    written.current = value
    setText(value)
  }, [value])
  useEffect(() => {
    const next = text.trim()
    if (next === written.current || latest.current.isWanted?.(text) === false) return
    const timer = setTimeout(() => {
      written.current = next
      latest.current.write(next)
    }, waitMs)
    return () => clearTimeout(timer)
  }, [text, waitMs])
  return [text, setText] as const
}
