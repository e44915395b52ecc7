import { smaller } from '../bigint.ts'
import type { Micros } from '../money.ts'
import type { Instant } from '../time/instant.ts'
import type { LaterPart, Transaction } from '../transaction.ts'

/**
 * The money of a transaction that was booked at one instant. Most transactions have one part, the
 * approval. An increase of the hold, or a capture beyond it, is booked when it arrives, perhaps in a
 * later period. Money that is released or refunded must leave the figures that it entered.
 */
export interface Part {
  readonly at: Instant
  readonly held: Micros
  /** Excludes refunds. */
  readonly settled: Micros
  /** No budget includes it any more, but limits still count it. */
  readonly refunded: Micros
}

/**
 * Far more parts than a purchase has. They are stored with the transaction and read with each
 * change.
 */
const PARTS_MAX = 100

/** The totals of the parts of a transaction. */
export interface Amounts {
  readonly held: Micros
  /** Includes refunds. */
  readonly captured: Micros
  readonly refunded: Micros
}

type Booked = Pick<
  Transaction,
  'createdAt' | 'heldAmount' | 'settledAmount' | 'refundedAmount' | 'laterParts'
>

/** Oldest first: the approval, then the later parts. */
export function partsOf(transaction: Booked): readonly Part[] {
  const { createdAt, heldAmount, settledAmount, refundedAmount } = transaction
  const later = (transaction.laterParts ?? []).map(toPart)
  const sum = sumOf(later)
  const held = heldAmount - sum.held
  const settled = settledAmount - refundedAmount - sum.settled
  const refunded = refundedAmount - sum.refunded
  const parts = [{ at: createdAt, held, settled, refunded }, ...later]
  const isUntold = transaction.laterParts?.some(([, , , told]) => told === undefined) ?? false
  return isUntold ? withRefundsLast(parts, refunded) : parts
}

/**
 * Parts that an earlier version stored do not state their refunds. These then count in the newest
 * part, which is the strict choice.
 */
function withRefundsLast(parts: readonly Part[], refunded: Micros): readonly Part[] {
  return parts.map((part, index) => {
    if (index === 0) return { ...part, refunded: 0n }
    const isLast = index === parts.length - 1
    return isLast ? { ...part, refunded: part.refunded + refunded } : part
  })
}

/**
 * The parts after a change to these amounts. An increase is booked now. A decrease leaves the newest
 * part first, so the result does not depend on the steps. Of the money that stays booked, the oldest
 * is captured and the rest is held.
 */
export function partsFor(
  parts: readonly Part[],
  { held, captured, refunded }: Amounts,
  now: Instant,
): readonly Part[] {
  const before = sumOf(parts)
  const more = held + captured - refunded - before.held - before.settled
  let leaving = positive(-more)
  let comingBack = positive(refunded - before.refunded)
  let takenAgain = positive(before.refunded - refunded)
  const kept = parts.toReversed().map((part) => {
    const left = smaller(part.held + part.settled, leaving)
    const back = smaller(left, comingBack)
    const again = smaller(part.refunded, takenAgain)
    leaving -= left
    comingBack -= back
    takenAgain -= again
    const booked = part.held + part.settled - left
    return { at: part.at, booked, refunded: part.refunded + back - again }
  })
  const added = { at: now, booked: positive(more), refunded: comingBack }
  let open = captured - refunded
  const all = bounded(withAdded(kept.toReversed(), added))
  return all.map(({ at, booked, refunded: back }) => {
    const settled = smaller(booked, open)
    open -= settled
    return { at, held: booked - settled, settled, refunded: back }
  })
}

interface BookedPart {
  readonly at: Instant
  readonly booked: Micros
  readonly refunded: Micros
}

function withAdded(parts: readonly BookedPart[], added: BookedPart): readonly BookedPart[] {
  if (added.booked === 0n && added.refunded === 0n) return parts
  const last = parts.at(-1)
  if (last?.at !== added.at) return [...parts, added]
  const { at, booked, refunded } = last
  const both = { at, booked: booked + added.booked, refunded: refunded + added.refunded }
  return parts.with(-1, both)
}

/**
 * If there are too many parts, the two oldest after the approval are merged, at the later of their
 * instants. Periods and limits then count the money for longer, and never drop it early.
 */
function bounded(parts: readonly BookedPart[]): readonly BookedPart[] {
  const [approval, older, newer, ...rest] = parts
  if (parts.length <= PARTS_MAX || !approval || !older || !newer) return parts
  const { at } = newer
  const both = {
    at,
    booked: older.booked + newer.booked,
    refunded: older.refunded + newer.refunded,
  }
  return [approval, both, ...rest]
}

/**
 * The stored form of the parts: their sums, and all parts but the first, which follows from the
 * sums.
 */
export function storedParts(
  parts: readonly Part[],
): Pick<Transaction, 'heldAmount' | 'settledAmount' | 'refundedAmount' | 'laterParts'> {
  const { held, settled, refunded } = sumOf(parts)
  const later = parts.slice(1).filter((part) => countedOf(part) > 0n)
  return {
    heldAmount: held,
    settledAmount: settled + refunded,
    refundedAmount: refunded,
    laterParts: later.length === 0 ? null : later.map(toStored),
  }
}

/** A change of the amounts that are booked at one instant. */
export interface Rebooking {
  readonly at: Instant
  readonly spent: Micros
  readonly held: Micros
}

export function rebookings(before: readonly Part[], after: readonly Part[]): Rebooking[] {
  const byInstant = new Map<Instant, Rebooking>()
  const add = ({ at, held, settled }: Part, sign: 1n | -1n): void => {
    const sum = byInstant.get(at) ?? { at, spent: 0n, held: 0n }
    const spent = sum.spent + sign * (held + settled)
    byInstant.set(at, { at, spent, held: sum.held + sign * held })
  }
  for (const part of before) add(part, -1n)
  for (const part of after) add(part, 1n)
  return [...byInstant.values()].filter(({ spent, held }) => spent !== 0n || held !== 0n)
}

/** How limits count the money of one instant. */
export interface Entry {
  readonly at: Instant
  readonly amount: Micros
  readonly count: number
}

/**
 * Refunded money still counts. The transaction is one spend, made when its first money moved: at the
 * approval, unless the hold was released and the money came later.
 */
export function entriesOf(parts: readonly Part[], isSpend: boolean): Entry[] {
  const counted = parts.filter((part) => countedOf(part) > 0n)
  return counted.map((part, index) => ({
    at: part.at,
    amount: countedOf(part),
    count: isSpend && index === 0 ? 1 : 0,
  }))
}

/** The differences between two lists of counted entries. */
export function recounts(before: readonly Entry[], after: readonly Entry[]): Entry[] {
  const byInstant = new Map<Instant, Entry>()
  const add = ({ at, amount, count }: Entry, sign: 1 | -1): void => {
    const sum = byInstant.get(at) ?? { at, amount: 0n, count: 0 }
    const changed = { amount: sum.amount + BigInt(sign) * amount, count: sum.count + sign * count }
    byInstant.set(at, { at, ...changed })
  }
  for (const entry of before) add(entry, -1)
  for (const entry of after) add(entry, 1)
  return [...byInstant.values()].filter(({ amount, count }) => amount !== 0n || count !== 0)
}

function countedOf({ held, settled, refunded }: Part): Micros {
  return held + settled + refunded
}

function toPart([at, held, settled, refunded = '0']: LaterPart): Part {
  return { at, held: BigInt(held), settled: BigInt(settled), refunded: BigInt(refunded) }
}

function toStored({ at, held, settled, refunded }: Part): LaterPart {
  return [at, String(held), String(settled), String(refunded)]
}

function sumOf(parts: readonly Part[]): Omit<Part, 'at'> {
  let [held, settled, refunded] = [0n, 0n, 0n]
  for (const part of parts) {
    held += part.held
    settled += part.settled
    refunded += part.refunded
  }
  return { held, settled, refunded }
}

function positive(amount: Micros): Micros {
  return amount > 0n ? amount : 0n
}
