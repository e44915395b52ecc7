import type { Micros } from './money.ts'
import type { PathName } from './path.ts'

/** The common form of every attempt to spend, whichever payment path it came by. */
export interface Spend {
  readonly transactionId: string
  readonly organizationId: string
  readonly agentId: string
  readonly path: PathName
  readonly amount: Micros
  /** Null: the currency of the mandate. */
  readonly currency: string | null
  /** In normal form. */
  readonly vendor: string
  /** In normal form; null only on paths that know none. */
  readonly category: string | null
  readonly reference: string | null
  /** Null: settled at once. Otherwise a hold, which is released after this time. */
  readonly holdMs: number | null
}
