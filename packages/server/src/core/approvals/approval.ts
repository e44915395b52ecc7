import type { Micros } from '../money.ts'
import type { PathName } from '../path.ts'
import type { Principal } from '../principal.ts'
import type { Instant } from '../time/instant.ts'
import type { ApprovalStatus } from './permit.ts'

/** A request for a person's word, and what became of it. */
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
  /** The address that is to be paid, on paths that pay somebody themselves. */
  readonly payee: string | null
  readonly cardId: string | null
  /** As it is stored: what is over by the clock may not be noted yet. */
  readonly status: ApprovalStatus
  /** How many spends have asked for the same. */
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

/** What one person, or one key, said about a request. */
export interface ApprovalDecision {
  readonly decision: Answer
  readonly actorKind: Principal['kind']
  readonly actorId: string
  /** As it was called then. */
  readonly actorName: string
  readonly comment: string | null
  readonly maxAmount: Micros | null
  readonly decidedAt: Instant
}

/** The least time for which an approval can be used, however short its request waited. */
const USABLE_MS_MIN = 15 * 60_000

/** How long an approval can be used: as long as its request could wait, but never for less than this. */
export function usableMs({ waitsMs }: Pick<Approval, 'waitsMs'>): number {
  return Math.max(waitsMs, USABLE_MS_MIN)
}
