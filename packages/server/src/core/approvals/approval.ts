import type { Micros } from '../money.ts'
import type { PathName } from '../path.ts'
import type { Principal } from '../principal.ts'
import type { Instant } from '../time/instant.ts'
import type { ApprovalStatus } from './permit.ts'

/** A request for a person's approval, and its outcome. */
export interface Approval {
  readonly id: string
  readonly agentId: string
  readonly mandateId: string
  /** The rejected spend that asked first. */
  readonly transactionId: string
  readonly path: PathName
  readonly vendor: string
  readonly category: string | null
  readonly amount: Micros
  readonly currency: string
  /** The address to pay, on paths that pay the payee themselves. */
  readonly payee: string | null
  readonly cardId: string | null
  /** As stored: the expiry may not be recorded yet. */
  readonly status: ApprovalStatus
  /** The number of spends that have asked for the same approval. */
  readonly asked: number
  readonly askedBy: readonly string[]
  readonly makesKnown: boolean
  readonly waitsMs: number
  readonly maxAmount: Micros | null
  readonly expiresAt: Instant
  readonly usedBy: string | null
  readonly usedAt: Instant | null
  readonly createdAt: Instant
}

export type Answer = 'approve' | 'reject'

/** The answer of one person or one key to a request. */
export interface ApprovalDecision {
  readonly decision: Answer
  readonly actorKind: Principal['kind']
  readonly actorId: string
  /** The name at the time of the answer. */
  readonly actorName: string
  readonly comment: string | null
  readonly maxAmount: Micros | null
  readonly decidedAt: Instant
}

/** The minimum time for which an approval can be used, however short its request could wait. */
const USABLE_MS_MIN = 15 * 60_000

/** How long an approval can be used: as long as its request could wait, but at least 15 minutes. */
export function usableMs({ waitsMs }: Pick<Approval, 'waitsMs'>): number {
  return Math.max(waitsMs, USABLE_MS_MIN)
}
