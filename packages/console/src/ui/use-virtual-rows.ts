import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { offsetsOf, scrollFor, type Visible, visibleRows } from './virtual-rows.ts'

/** So many rows are drawn before and behind those in view. */
const EXTRA = 8
/** The page is drawn again after so many pixels. It is less than the height of the extra rows. */
const STEP = 120

interface VirtualRowsOptions {
  readonly scroller: RefObject<HTMLElement | null>
  readonly count: number
  /** The height of a row. Keep the function as long as its answers are the same. */
  readonly sizeOf: (index: number) => number
  /** Names the rows, if their heights must be measured. */
  readonly keyOf?: ((index: number) => string) | undefined
}

export interface VirtualRows {
  readonly items: readonly Visible[]
  readonly total: number
  /** Goes to each row whose height must be measured, with its index in `data-index`. */
  readonly measure: (element: HTMLElement | null) => void
  readonly scrollToIndex: (index: number) => void
}

/** Which rows of a long list are in view. The page is drawn again only when others come into view. */
export function useVirtualRows(options: VirtualRowsOptions): VirtualRows {
  const { scroller, count, sizeOf, keyOf } = options
  const { view, shown } = useView(scroller)
  const measured = useRef(new Map<string, number>())
  const [round, setRound] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `round` says that a height was measured
  const offsets = useMemo(
    () => offsetsOf(count, (index) => measured.current.get(keyOf?.(index) ?? '') ?? sizeOf(index)),
    [count, sizeOf, keyOf, round],
  )
  const items = useMemo(() => visibleRows(offsets, view, EXTRA), [offsets, view])
  const measure = useCallback(
    (element: HTMLElement | null) => {
      const key = keyOf?.(Number(element?.dataset['index']))
      if (!element || key === undefined) return
      const { height } = element.getBoundingClientRect()
      if (height === 0 || measured.current.get(key) === height) return
      measured.current.set(key, height)
      setRound((before) => before + 1)
    },
    [keyOf],
  )
  const scrollToIndex = useCallback(
    (index: number) => {
      const element = scroller.current
      if (!element) return
      const row = { start: offsets[index] ?? 0, end: offsets[index + 1] ?? 0 }
      // A question to the page would make the browser lay it out at once, in each step of the keys.
      const now = shown.current ?? shownOf(element)
      const top = scrollFor(row, now, now.head)
      if (top !== now.top) element.scrollTop = top
      // The browser can stop before, at the end of the list.
      shown.current = top === now.top ? now : { ...now, top: element.scrollTop }
    },
    [scroller, shown, offsets],
  )
  return { items, total: offsets[count] ?? 0, measure, scrollToIndex }
}

/** The part of the list that is in view, and the height of its head. */
interface Shown {
  readonly top: number
  readonly height: number
  readonly head: number
}

function shownOf(element: HTMLElement): Shown {
  const head = element.querySelector('thead')?.offsetHeight ?? 0
  return { top: element.scrollTop, height: element.clientHeight, head }
}

/** The part of the list that is in view: in steps for the page, and exactly for a scroll. */
function useView(scroller: RefObject<HTMLElement | null>) {
  const [view, setView] = useState(() => ({ top: 0, height: window.innerHeight }))
  const shown = useRef<Shown>(undefined)
  useEffect(() => {
    const element = scroller.current
    if (!element) return undefined
    let last = { top: element.scrollTop, height: element.clientHeight }
    setView(last)
    function follow() {
      const top = element?.scrollTop ?? 0
      if (shown.current) shown.current = { ...shown.current, top }
      if (Math.abs(top - last.top) < STEP) return
      last = { ...last, top }
      // Drawn at once: otherwise a fast scroll shows an empty list for a moment.
      flushSync(() => setView(last))
    }
    const observer = new ResizeObserver(() => {
      shown.current = undefined
      if (element.clientHeight === last.height) return
      last = { top: element.scrollTop, height: element.clientHeight }
      setView(last)
    })
    observer.observe(element)
    element.addEventListener('scroll', follow, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', follow)
    }
  }, [scroller])
  return { view, shown }
}
