import { type Part, partsOf } from '../decision/parts.ts'
import type { Micros } from '../money.ts'
import type { Instant } from '../time/instant.ts'
import type { Transaction } from '../transaction.ts'

/** A step of a transaction: how its money was booked from this instant on. */
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

/** The booking of an approved transaction by its decision. */
export function partsAtFirst({ createdAt: at, isHold, amount }: FirstBooking): readonly Part[] {
  return [{ at, held: isHold ? amount : 0n, settled: isHold ? 0n : amount, refunded: 0n }]
}

interface FirstBooking {
  readonly createdAt: Instant
  readonly isHold: boolean
  readonly amount: Micros
}

/**
 * All steps of a transaction, in order. Undefined if some of them are missing: the transaction was
 * changed before steps were stored, by an older gateway, or too often.
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
