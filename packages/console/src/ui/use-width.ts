import { type RefCallback, useCallback, useState } from 'react'

/**
 * The width of an element in whole pixels, followed as it changes. 0 until it is known. The drawing
 * inside has this width, and must not keep the element from becoming narrower.
 */
export function useWidth(): [ref: RefCallback<Element>, width: number] {
  const [width, setWidth] = useState(0)
  const ref = useCallback((element: Element | null) => {
    if (element === null) return
    if (element instanceof HTMLElement) element.style.contain = 'inline-size'
    setWidth(Math.floor(element.getBoundingClientRect().width))
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setWidth(Math.floor(entry.contentRect.width))
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [ref, width]
}
