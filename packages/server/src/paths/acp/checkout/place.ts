import type { Instant } from '../../../core/time/instant.ts'
import type { Tx } from '../../../storage/engine/database.ts'

/** Where a change of a checkout happens: under its lock, and at this time. */
export interface Place {
  readonly tx: Tx
  readonly now: Instant
}
