/** A line, and how to write it together with the number of those that were not written. */
export interface RepeatableLine {
  /** Lines with the same key are the same to whoever reads them. */
  readonly key: string
  write(repeated: number): void
}

export interface Repeats {
  /** True if the same line was written within the last window: then it is only counted. */
  count(line: RepeatableLine): boolean
  /** Tells at once what was counted. */
  tell(): void
}

interface Window {
  repeated: number
  latest: RepeatableLine
  readonly timer: NodeJS.Timeout
}

/** Bounds the memory. Beyond it the oldest window ends early. */
const WINDOWS_MAX = 100

/**
 * Counts lines that say the same, so that what fails a thousand times in a window is two lines: the
 * first at once, and how often it came again when the window ends. A line that keeps coming is told
 * once in each window.
 */
export function createRepeats(windowMs: number): Repeats {
  const windows = new Map<string, Window>()

  function open(line: RepeatableLine): void {
    const timer = setTimeout(() => end(line.key), windowMs)
    timer.unref()
    windows.set(line.key, { repeated: 0, latest: line, timer })
  }

  function end(key: string): void {
    const window = windows.get(key)
    if (!window) return
    clearTimeout(window.timer)
    windows.delete(key)
    if (window.repeated === 0) return
    window.latest.write(window.repeated)
    open(window.latest)
  }

  function close(key: string): void {
    end(key)
    clearTimeout(windows.get(key)?.timer)
    windows.delete(key)
  }

  return {
    count(line) {
      const window = windows.get(line.key)
      if (window) {
        window.repeated += 1
        window.latest = line
        return true
      }
      const [oldest] = windows.size >= WINDOWS_MAX ? windows.keys() : []
      if (oldest !== undefined) close(oldest)
      open(line)
      return false
    },
    tell() {
      for (const key of [...windows.keys()]) close(key)
    },
  }
}
