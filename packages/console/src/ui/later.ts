import { useEffect, useState } from 'react'

/** A part of the page whose code loads when a person reaches for it. */
export interface Later<T> {
  readonly load: () => Promise<T>
  /** The part, if its code is here. */
  readonly loaded: () => T | undefined
}

export function later<T>(request: () => Promise<T>): Later<T> {
  let part: T | undefined
  let loading: Promise<T> | undefined
  return {
    loaded: () => part,
    load: () => {
      loading ??= request().then(
        (loaded) => {
          part = loaded
          return loaded
        },
        (error: unknown) => {
          // The next attempt asks again.
          loading = undefined
          throw error
        },
      )
      return loading
    },
  }
}

/** Starts to load the part, for a pointer or a focus that comes near. A failure shows on use. */
export function preload(part: Later<unknown>): void {
  part.load().catch(() => {})
}

/** Returns the part, which begins to load when the page without it is drawn. */
export function useAfterPaint<T>(part: Later<T>, mayWait = true): T | undefined {
  const [isDrawn, setDrawn] = useState(false)
  const mustWait = mayWait && !isDrawn && part.loaded() === undefined
  useEffect(() => {
    if (!mustWait) return undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => setDrawn(true))
    })
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [mustWait])
  return useLater(part, !mustWait)
}

/** Returns the part once it is wanted and its code is here. If the code cannot be loaded, the page fails. */
export function useLater<T>(part: Later<T>, isWanted: boolean): T | undefined {
  const [, setOutcome] = useState<object>()
  const loaded = part.loaded()
  const mustLoad = isWanted && loaded === undefined
  useEffect(() => {
    if (!mustLoad) return undefined
    let isGone = false
    const redraw = () => {
      if (!isGone) setOutcome({})
    }
    const fail = (error: unknown) => {
      if (isGone) return
      // Thrown while React draws, so that the page shows it and offers to try again.
      setOutcome(() => {
        throw error
      })
    }
    part.load().then(redraw, fail)
    return () => {
      isGone = true
    }
  }, [part, mustLoad])
  return isWanted ? loaded : undefined
}
