/** What is summed up, in the order in which it is stored. Counts and micros. */
export const MEASURES = [
  'approvedCount',
  'held',
  'settled',
  'refunded',
  'rejectedCount',
  'rejectedAmount',
  'askedCount',
  'askedAmount',
  'usedCount',
  'usedAmount',
] as const

export type Measure = (typeof MEASURES)[number]
export type Measures = Readonly<Record<Measure, bigint>>

export const NOTHING: Measures = {
  approvedCount: 0n,
  held: 0n,
  settled: 0n,
  refunded: 0n,
  rejectedCount: 0n,
  rejectedAmount: 0n,
  askedCount: 0n,
  askedAmount: 0n,
  usedCount: 0n,
  usedAmount: 0n,
}
