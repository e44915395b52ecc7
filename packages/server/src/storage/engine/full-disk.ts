import type { Log } from '../../base/log.ts'

/** Whether the disk of the database was full a moment ago. */
export interface FullDisk {
  note(reason: unknown): void
  isFull(): boolean
}

/** The server tells it only to whoever writes, so it counts as full for this long after the last time. */
const FULL_FOR_MS = 30_000

/** Tells the operator once that the disk of the server is full, and once more each time that it is again. */
export function createFullDisk(log: Log): FullDisk {
  let lastMs = Number.NEGATIVE_INFINITY
  const isFull = (): boolean => performance.now() - lastMs < FULL_FOR_MS
  return {
    isFull,
    note(err) {
      if (!isFull()) log.error({ err }, 'The disk of the database is full. Make room.')
      lastMs = performance.now()
    },
  }
}

/** Locking a row writes, too. */
const WRITES = /\b(insert|update|delete|share|commit)\b/i

const ofReads = new WeakSet<Error>()

/** Remembers of an error whether the statement that failed with it only reads. */
export function noteRead(error: Error, text: string): void {
  if (!WRITES.test(text)) ofReads.add(error)
}

/**
 * Whether a statement failed that only reads. Then there may be too little room for its own temporary files,
 * and enough for what others store.
 */
export function isOfRead(error: unknown): boolean {
  return error instanceof Error && ofReads.has(error)
}
