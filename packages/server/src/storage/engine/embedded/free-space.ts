import { statfs } from 'node:fs/promises'
import { Problem } from '../../../base/errors.ts'
import { logEvent } from '../../../base/log/log-event.ts'
import type { Log } from '../../../base/log.ts'
import { type Loop, startLoop } from '../../../base/loop.ts'

interface FreeSpaceParts {
  readonly folder: string
  /** Below this, new work is refused; 0 never refuses. */
  readonly bytesMin: number
  readonly log: Log
}

export interface FreeSpace extends Pick<Loop, 'round' | 'stop'> {
  /** Throws a problem for the caller while there is too little room. It costs one comparison. */
  requireRoom(): void
  isFull(): boolean
}

/**
 * Often enough to notice in time: in one interval a busy gateway writes some tens of megabytes, and the
 * default floor is 256 MB.
 */
const EVERY_MS = 1_000
const RETRY_AFTER_SECONDS = 30

/**
 * Watches the free space of the data folder, outside of requests (ADR 30). An engine that meets a full
 * disk dies in the middle of a write, so new work is refused before that; reads still work.
 */
export function watchFreeSpace({ folder, bytesMin, log }: FreeSpaceParts): FreeSpace {
  let isFull = false
  const { round, stop } = startLoop({
    async run() {
      const { bavail, bsize } = await statfs(folder)
      const freeBytes = bavail * bsize
      if (isFull === freeBytes < bytesMin) return
      isFull = !isFull
      const fields = { folder, freeBytes, bytesMin }
      if (isFull) logEvent(log, 'storage.disk_nearly_full', fields)
      else logEvent(log, 'storage.disk_freed', fields)
    },
    everyMs: EVERY_MS,
    failed: (err) => logEvent(log, 'storage.disk_check_failed', { err }),
  })
  return {
    round,
    stop,
    isFull: () => isFull,
    requireRoom() {
      if (!isFull) return
      throw new Problem(
        'storage_full',
        'The disk of the gateway is nearly full, so it accepts no new work until its operator frees space. Nothing was changed; retry later.',
        { retryAfterSeconds: RETRY_AFTER_SECONDS },
      )
    },
  }
}
