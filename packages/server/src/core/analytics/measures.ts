import type { Micros } from '../money.ts'

/** The stored totals (counts and micros), in the order in which they are stored. */
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

/** The mean covers this many whole days, without today. */
export const FORECAST_DAYS = 7
/** Fewer spends say nothing about the days to come. */
const SPENDS_MIN = 20n

interface Forecast {
  readonly perDay: Micros
  readonly amount: Micros
}

/**
 * Forecasts the spend of a number of days, if they are like the last seven. Fractions of a micro are
 * dropped.
 */
export function forecast(spends: bigint, spent: Micros, days: number): Forecast | undefined {
  if (spends < SPENDS_MIN) return undefined
  const week = BigInt(FORECAST_DAYS)
  return { perDay: spent / week, amount: (spent * BigInt(days)) / week }
}
