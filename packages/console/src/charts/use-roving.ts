import { type KeyboardEvent, useRef, useState } from 'react'
import { movedIndex } from './roving.ts'

/** One tab stop for a row of marks. Keys move inside it, and hover shows the same as focus. */
export function useRoving(count: number) {
  const [stop, setStop] = useState<number | null>(null)
  const [active, setActive] = useState<number | null>(null)
  // React has one type for both kinds of links. These are inside a drawing, and can have the focus too.
  const marks = useRef(new Map<number, HTMLAnchorElement>())
  // The newest day is where people look first.
  const tabStop = stop !== null && stop < count ? stop : count - 1

  function props(index: number) {
    return {
      tabIndex: index === tabStop ? 0 : -1,
      ref: (element: HTMLAnchorElement | null) => {
        if (element) marks.current.set(index, element)
        else marks.current.delete(index)
      },
      onFocus: () => {
        setStop(index)
        setActive(index)
      },
      onBlur: () => setActive(null),
      onPointerEnter: () => setActive(index),
      onPointerLeave: () => setActive(null),
      onKeyDown: (event: KeyboardEvent) => {
        if (event.key === 'Escape' && active !== null) {
          event.preventDefault()
          setActive(null)
          return
        }
        const next = movedIndex(event.key, index, count)
        if (next === null) return
        event.preventDefault()
        marks.current.get(next)?.focus()
      },
    }
  }
  return { active: active !== null && active < count ? active : null, props }
}
