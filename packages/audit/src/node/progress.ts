import { countLeaves } from '../verify/count-leaves.ts'
import type { ExportVerifier } from '../verify/verify-export.ts'

/** Reports the progress of a verification. */
export interface Progress {
  /** Called after each chunk of the export. */
  tell(bytes: number, verifier: Pick<ExportVerifier, 'leaves'>): void
}

const EVERY_MS = 1_000

/**
 * Reports the progress at most once a second, so that a short export is verified silently. The
 * percentage is left out if the length of the export is unknown.
 */
export function createProgress(
  bytesTotal: number | undefined,
  write: (text: string) => void,
): Progress {
  let last = performance.now()
  let bytes = 0
  return {
    tell(more, verifier) {
      bytes += more
      const now = performance.now()
      if (now - last < EVERY_MS) return
      last = now
      const share = bytesTotal ? `, ${Math.floor((bytes / bytesTotal) * 100)} %` : ''
      const leaves = verifier.leaves()
      write(`${countLeaves(leaves, leaves.toLocaleString('en'))} verified${share}\n`)
    },
  }
}
