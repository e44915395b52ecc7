/** A line, and how to write it together with the number of lines that were left out. */
export interface RepeatableLine {
  /** Lines with the same key mean the same to a reader. */
  readonly key: string
  write(repeated: number): void
}

export interface Repeats {
  /** Returns true if the same line was written within the last window: then it is only counted. */
  count(line: RepeatableLine): boolean
  /** Writes all pending counts at once. */
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
 * Counts identical lines, so that an error that repeats a thousand times in a window makes two
 * lines: the first at once, and the number of repeats when the window ends. A line that keeps
 * coming is written once per window.
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
