import { type Part, partsOf } from '../decision/parts.ts'
import type { Micros } from '../money.ts'
import type { Instant } from '../time/instant.ts'
import type { Transaction } from '../transaction.ts'

/** What became of a transaction at one instant: how its money was booked from then on. */
export type StoredStep = readonly [at: Instant, parts: readonly StoredPart[]]

type StoredPart = readonly [at: Instant, held: string, settled: string, refunded: string]

export interface Step {
  readonly at: Instant
  readonly parts: readonly Part[]
}

type Booked = Pick<
  Transaction,
  'createdAt' | 'heldAmount' | 'settledAmount' | 'refundedAmount' | 'laterParts'
>

/** The transaction as it is after a change. */
export function toStoredStep(after: Booked, at: Instant): StoredStep {
  return [at, partsOf(after).map(toStored)]
}

/** How an approved transaction was booked by its decision. */
export function partsAtFirst({ createdAt: at, isHold, amount }: FirstBooking): readonly Part[] {
  return [{ at, held: isHold ? amount : 0n, settled: isHold ? 0n : amount, refunded: 0n }]
}

interface FirstBooking {
  readonly createdAt: Instant
  readonly isHold: boolean
  readonly amount: Micros
}

/**
 * Everything that became of a transaction, in order. Undefined where some of it is not kept: it was
 * changed before steps were, by an older gateway, or too often.
 */
export function stepsOf(
  transaction: Booked & FirstBooking & { readonly steps: readonly StoredStep[] | null },
): readonly Step[] | undefined {
  const steps = (transaction.steps ?? []).map(fromStored)
  const last = steps.at(-1)?.parts ?? partsAtFirst(transaction)
  return isSame(last, partsOf(transaction)) ? steps : undefined
}

function isSame(some: readonly Part[], others: readonly Part[]): boolean {
  return some.length === others.length && some.every((part, index) => isLike(part, others[index]))
}

function isLike({ at, held, settled, refunded }: Part, other: Part | undefined): boolean {
  return (
    at === other?.at &&
    held === other.held &&
    settled === other.settled &&
    refunded === other.refunded
  )
}

function toStored({ at, held, settled, refunded }: Part): StoredPart {
  return [at, String(held), String(settled), String(refunded)]
}

function fromStored([at, parts]: StoredStep): Step {
  return {
    at,
    parts: parts.map(([booked, held, settled, refunded]) => ({
      at: booked,
      held: BigInt(held),
      settled: BigInt(settled),
      refunded: BigInt(refunded),
    })),
  }
}
