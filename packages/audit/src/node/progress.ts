import type { ExportVerifier } from '../verify/verify-export.ts'

/** How far verifying has come. */
export interface Progress {
  /** After each piece of the export. */
  tell(bytes: number, verifier: Pick<ExportVerifier, 'leaves'>): void
}

const EVERY_MS = 1_000

/**
 * Says at most once a second how far it is, so that a short export is verified in silence. The share
 * is left out where nobody knows how long the export is.
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
      write(`${verifier.leaves().toLocaleString('en')} leaves verified${share}\n`)
    },
  }
}
