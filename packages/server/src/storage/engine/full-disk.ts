import { logEvent } from '../../base/log/log-event.ts'
import type { Log } from '../../base/log.ts'

/** Whether the disk of the database was full a moment ago. */
export interface FullDisk {
  note(reason: unknown): void
  isFull(): boolean
}

/** Only statements that write learn of a full disk, so it counts as full this long after the last one. */
const FULL_FOR_MS = 30_000

/** Logs once when the server's disk becomes full, and once more each time it becomes full again. */
export function createFullDisk(log: Log): FullDisk {
  let lastMs = Number.NEGATIVE_INFINITY
  const isFull = (): boolean => performance.now() - lastMs < FULL_FOR_MS
  return {
    isFull,
    note(err) {
      if (!isFull()) logEvent(log, 'storage.disk_full', { err })
      lastMs = performance.now()
    },
  }
}

/** Locking a row also writes. */
const WRITES = /\b(insert|update|delete|share|commit)\b/i

const ofReads = new WeakSet<Error>()

/** Remembers the error if its statement only reads. */
export function noteRead(error: Error, text: string): void {
  if (!WRITES.test(text)) ofReads.add(error)
}

/**
 * Whether the failed statement only reads. Then the disk may lack room for its temporary files, and still
 * have enough for new rows.
 */
export function isOfRead(error: unknown): boolean {
  return error instanceof Error && ofReads.has(error)
}
