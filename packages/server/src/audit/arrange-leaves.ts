import { HASH_BYTES, type Hash } from '@purser/audit'
import type { DecisionHashes } from '../storage/audit/decision-hashes.ts'

export interface OtherLeaf {
  readonly number: bigint
  readonly hash: Hash
}

/** Decisions and all else in one order: that of their numbers. */
export interface Arranged {
  /** One after the other. */
  readonly hashes: Buffer
  /** Where each decision is. */
  readonly decisionPlaces: readonly number[]
  /** Where each of the others is. */
  readonly otherPlaces: readonly number[]
}

/** Both lists are in the order of their numbers already. */
export function arrangeLeaves(
  { numbers, hashes: decided }: DecisionHashes,
  others: readonly OtherLeaf[],
): Arranged {
  const hashes = Buffer.allocUnsafe(decided.length + others.length * HASH_BYTES)
  const decisionPlaces: number[] = []
  const otherPlaces: number[] = []

  /** All decisions up to this one, moved together. */
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
