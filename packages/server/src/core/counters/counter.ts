import assert from 'node:assert/strict'
import type { Micros } from '../money.ts'
import type { Instant } from '../time/instant.ts'
import type { BucketLayout } from './buckets.ts'

/** The approved spends within one interval of time. */
export interface Bucket {
  readonly start: Instant
  readonly count: number
  readonly amount: Micros
}

/**
 * Approved spends over a window, by buckets. It stays small however many spends there are: that is
 * why a limit costs the same on the first day and after a million transactions.
 */
export interface Counter {
  /** In ascending order. Buckets that no longer count are dropped whenever something is added. */
  readonly buckets: readonly Bucket[]
  /** The sum of all buckets, so that the usual question needs no loop. */
  readonly count: number
  readonly amount: Micros
  readonly expiresAt: Instant
}

export interface Sum {
  readonly count: number
  readonly amount: Micros
}

export const EMPTY_COUNTER: Counter = { buckets: [], count: 0, amount: 0n, expiresAt: 0 }

const NUMBERS_PER_BUCKET = 3

/** The sum of the buckets that count at this instant. */
export function sumAt(counter: Counter, layout: BucketLayout, now: Instant): Sum {
  const since = layout.sinceAt(now)
  const [oldest] = counter.buckets
  if (!oldest || oldest.start >= since) return counter
  return sumOf(counter.buckets.slice(firstSince(counter.buckets, since)))
}

/** `count` is 0 when the amount belongs to a spend that is already counted. */
export function addTo(
  counter: Counter,
  layout: BucketLayout,
  at: Instant,
  amount: Micros,
  count = 1,
): Counter {
  const start = layout.bucketAt(at)
  const dropped = firstSince(counter.buckets, layout.sinceAt(at))
  const buckets = counter.buckets.slice(dropped)
  const position = firstAfter(buckets, start)
  const before = buckets[position - 1]
  if (before?.start === start) {
    buckets[position - 1] = { start, count: before.count + count, amount: before.amount + amount }
  } else {
    buckets.splice(position, 0, { start, count, amount })
  }
  const expiresAt = Math.max(counter.expiresAt, layout.endOf(start))
  if (dropped > 0) return { buckets, ...sumOf(buckets), expiresAt }
  return { buckets, count: counter.count + count, amount: counter.amount + amount, expiresAt }
}

/**
 * Adds a difference to the amount and count of a spend that was counted at an instant. The caller
 * knows that it was counted: subtracting an amount that was never added would make room for spends
 * that the limit forbids.
 *
 * The bucket is the last one that starts no later than the spend, because buckets do not overlap.
 * The bucket that holds the spend exists unless its time has passed; then all buckets before it are
 * gone too.
 */
export function correctIn(
  counter: Counter,
  at: Instant,
  { amount, count }: { readonly amount: Micros; readonly count: number },
): Counter {
  const position = firstAfter(counter.buckets, at) - 1
  const bucket = counter.buckets[position]
  if (!bucket) return counter
  const left = {
    ...bucket,
    count: bucket.count + count,
    amount: atLeastZero(bucket.amount + amount),
  }
  const isEmpty = left.count <= 0 && left.amount === 0n
  const buckets = isEmpty
    ? counter.buckets.toSpliced(position, 1)
    : counter.buckets.with(position, left)
  return { buckets, ...sumOf(buckets), expiresAt: counter.expiresAt }
}

/** The instant from which no bucket counts any more, so that storage may delete the counter. */
export function expiresAt(counter: Counter): Instant {
  return counter.expiresAt
}

/**
 * First the expiry, then the start, count and amount of each bucket: a flat list, as storage keeps
 * it.
 */
export function toRow(counter: Counter): bigint[] {
  const row = [BigInt(counter.expiresAt)]
  for (const { start, count, amount } of counter.buckets) {
    row.push(BigInt(start), BigInt(count), amount)
  }
  return row
}

export function fromRow(row: readonly bigint[]): Counter {
  assert(row.length % NUMBERS_PER_BUCKET === 1, 'a row of a counter holds whole buckets')
  const buckets: Bucket[] = []
  for (let index = 1; index < row.length; index += NUMBERS_PER_BUCKET) {
    buckets.push({
      start: Number(row[index]),
      count: Number(row[index + 1]),
      amount: row[index + 2] ?? 0n,
    })
  }
  return { buckets, ...sumOf(buckets), expiresAt: Number(row[0]) }
}

function sumOf(buckets: readonly Bucket[]): Sum {
  let count = 0
  let amount = 0n
  for (const bucket of buckets) {
    count += bucket.count
    amount += bucket.amount
  }
  return { count, amount }
}

/** The position of the first bucket that starts at this instant or later. */
function firstSince(buckets: readonly Bucket[], since: Instant): number {
  const position = buckets.findIndex(({ start }) => start >= since)
  return position === -1 ? buckets.length : position
}

/**
 * This is nearly always the end. A spend belongs before the last bucket only when clocks disagree.
 */
function firstAfter(buckets: readonly Bucket[], start: Instant): number {
  return buckets.findLastIndex((bucket) => bucket.start <= start) + 1
}

function atLeastZero(amount: Micros): Micros {
  return amount > 0n ? amount : 0n
}
