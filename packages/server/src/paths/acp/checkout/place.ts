import type { Instant } from '../../../core/time/instant.ts'
import type { Tx } from '../../../storage/engine/database.ts'

/** The transaction that changes a checkout under its lock, and the time of the change. */
export interface Place {
  readonly tx: Tx
  readonly now: Instant
}
