import { countOf } from '../output/count-of.ts'

interface Progress {
  readonly table: string
  readonly rows: number
}

const EVERY_MS = 500

/** Shows the progress in one line of a terminal. Elsewhere it shows nothing: a log needs no progress. */
export function showProgress(verb: string): { on(progress: Progress): void; end(): void } {
  const { stderr } = process
  if (stderr.isTTY !== true) return { on() {}, end() {} }
  let shownAt = Number.NEGATIVE_INFINITY
  return {
    on({ table, rows }) {
      if (performance.now() - shownAt < EVERY_MS) return
      shownAt = performance.now()
      stderr.write(`\r\x1b[K${verb} ${countOf(rows, 'row')} (${table})`)
    },
    end: () => void stderr.write('\r\x1b[K'),
  }
}
