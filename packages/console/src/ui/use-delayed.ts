import { useEffect, useRef, useState } from 'react'

/**
 * Says when to show that something loads: not before `after` milliseconds, so that a fast answer
 * does not flicker, and then for at least `atLeast`.
 */
export function useDelayed(loading: boolean, after = 150, atLeast = 300): boolean {
  const [isShown, setShown] = useState(false)
  const since = useRef(0)
  useEffect(() => {
    if (loading === isShown) return
    const wait = loading ? after : Math.max(0, since.current + atLeast - performance.now())
    const timer = setTimeout(() => {
      if (loading) since.current = performance.now()
      setShown(loading)
    }, wait)
    return () => clearTimeout(timer)
  }, [loading, isShown, after, atLeast])
  return isShown
}
