import { HASH_BYTES, type Hash } from '@purser/audit'
import type { DecisionHashes } from '../storage/audit/decision-hashes.ts'

export interface OtherLeaf {
  readonly number: bigint
  readonly hash: Hash
}

/** The leaves of decisions and all others, merged in the order of their numbers. */
export interface Arranged {
  /** All hashes, one after the other. */
  readonly hashes: Buffer
  /** The place of each decision. */
  readonly decisionPlaces: readonly number[]
  /** The place of each other leaf. */
  readonly otherPlaces: readonly number[]
}

/** Both lists are already sorted by number. */
export function arrangeLeaves(
  { numbers, hashes: decided }: DecisionHashes,
  others: readonly OtherLeaf[],
): Arranged {
  const hashes = Buffer.allocUnsafe(decided.length + others.length * HASH_BYTES)
  const decisionPlaces: number[] = []
  const otherPlaces: number[] = []

  /** Copies all decisions up to `end` in one block. */
  function take(end: number): void {
    const [begun, moved] = [decisionPlaces.length, otherPlaces.length]
    hashes.set(decided.subarray(begun * HASH_BYTES, end * HASH_BYTES), (begun + moved) * HASH_BYTES)
    for (let taken = begun; taken < end; taken++) decisionPlaces.push(taken + moved)
  }

  for (const { number, hash } of others) {
    let end = decisionPlaces.length
    while ((numbers[end] ?? Number.POSITIVE_INFINITY) < number) end++
    take(end)
    const place = end + otherPlaces.length
    hashes.set(hash, place * HASH_BYTES)
    otherPlaces.push(place)
  }
  take(numbers.length)
  return { hashes, decisionPlaces, otherPlaces }
}
