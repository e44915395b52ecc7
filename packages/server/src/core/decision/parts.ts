import type { Micros } from '../money.ts'
import type { Instant } from '../time/instant.ts'
import type { LaterPart, Transaction } from '../transaction.ts'

/**
 * The money of a transaction that was booked at one instant. Most have one part, the approval. What a
 * hold was raised by, or what was captured beyond it, was booked when it came, perhaps in a later
 * period; whatever is given back must leave the figures that it entered.
 */
export interface Part {
  readonly at: Instant
  readonly held: Micros
  /** Without what was refunded. */
  readonly settled: Micros
}

/** An amount that leaves the part of this instant. */
export interface Move {
  readonly at: Instant
  readonly amount: Micros
}

interface Moved {
  readonly parts: readonly Part[]
  readonly moves: readonly Move[]
}

type Booked = Pick<
  Transaction,
  'createdAt' | 'heldAmount' | 'settledAmount' | 'refundedAmount' | 'laterParts'
>

/** Oldest first: the approval, then what came later. */
export function partsOf(transaction: Booked): readonly Part[] {
  const { createdAt, heldAmount, settledAmount, refundedAmount } = transaction
  const later = (transaction.laterParts ?? []).map(toPart)
  const sum = sumOf(later)
  const held = heldAmount - sum.held
  const settled = settledAmount - refundedAmount - sum.settled
  return [{ at: createdAt, held, settled }, ...later]
}

/** What is captured leaves the oldest part first. */
export function captureParts(parts: readonly Part[], amount: Micros): Moved {
  let left = amount
  const moves: Move[] = []
  const after = parts.map((part) => {
    const taken = smaller(part.held, left)
    left -= taken
    if (taken > 0n) moves.push({ at: part.at, amount: taken })
    return { ...part, held: part.held - taken, settled: part.settled + taken }
  })
  return { parts: after, moves }
}

/** All that is still held is given back. */
export function releaseParts(parts: readonly Part[]): Moved {
  const held = parts.filter((part) => part.held > 0n)
  return {
    parts: parts.map((part) => ({ ...part, held: 0n })),
    moves: held.map(({ at, held: amount }) => ({ at, amount })),
  }
}

/** What comes back leaves the newest part first. */
export function refundParts(parts: readonly Part[], amount: Micros): Moved {
  let left = amount
  const moves: Move[] = []
  const after = parts.toReversed().map((part) => {
    const taken = smaller(part.settled, left)
    left -= taken
    if (taken > 0n) moves.push({ at: part.at, amount: taken })
    return { ...part, settled: part.settled - taken }
  })
  return { parts: after.toReversed(), moves }
}

/** What a transaction keeps of its parts: all but the first, which its own amounts tell. */
export function laterPartsOf([, ...later]: readonly Part[]): readonly LaterPart[] | null {
  const kept = later.filter(({ held, settled }) => held > 0n || settled > 0n)
  return kept.length === 0 ? null : kept.map(toStored)
}

function toPart([at, held, settled]: LaterPart): Part {
  return { at, held: BigInt(held), settled: BigInt(settled) }
}

function toStored({ at, held, settled }: Part): LaterPart {
  return [at, String(held), String(settled)]
}

function sumOf(parts: readonly Part[]): Pick<Part, 'held' | 'settled'> {
  let [held, settled] = [0n, 0n]
  for (const part of parts) {
    held += part.held
    settled += part.settled
  }
  return { held, settled }
}

function smaller(a: Micros, b: Micros): Micros {
  return a < b ? a : b
}
