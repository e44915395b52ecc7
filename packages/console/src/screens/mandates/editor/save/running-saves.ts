import { useEffect, useState } from 'react'

/** The saves that are on their way, by the name of their source. An editor that was left has some. */
const running = new Map<string, Promise<void>>()

/** Remembers a save until it ends, and returns it. */
export function noteSave<T>(source: string, save: Promise<T>): Promise<T> {
  const ended = save
    .then(
      () => {},
      () => {},
    )
    .finally(() => {
      if (running.get(source) === ended) running.delete(source)
    })
  running.set(source, ended)
  return save
}

/**
 * Whether no earlier editor of this source still saves. An editor that starts before that would not
 * know the draft, and would store a second one.
 */
export function useSavesEnded(source: string): boolean {
  const [isEnded, setEnded] = useState(() => !running.has(source))
  useEffect(() => {
    if (isEnded) return
    let isGone = false
    async function wait() {
      // The next save of the same editor can follow at once.
      while (running.has(source)) await running.get(source)
      if (!isGone) setEnded(true)
    }
    void wait()
    return () => {
      isGone = true
    }
  }, [isEnded, source])
  return isEnded
}
