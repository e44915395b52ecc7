import type { BacktestProgress } from '@purser/sdk'
import { countOf } from '../output/count-of.ts'

interface ShownProgress {
  onProgress(progress: BacktestProgress): void
  /** Removes the line, so that only the report stays. */
  end(): void
}

const CLEAR_LINE = '\r\u001b[K'

/** Shows the progress on one line of a terminal. A file or a pipe gets none. */
export function showProgress(): ShownProgress {
  const { stderr } = process
  let shown = false
  return {
    onProgress({ replayed, replayedTo }) {
      if (!stderr.isTTY) return
      const until = replayedTo === null ? '' : `, up to ${replayedTo}`
      stderr.write(`${CLEAR_LINE}${countOf(replayed, 'decision')} replayed${until}`)
      shown = true
    },
    end() {
      if (shown) stderr.write(CLEAR_LINE)
      shown = false
    },
  }
}
