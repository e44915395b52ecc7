import type { Micros } from '../money.ts'

/** The mean is that of so many whole days, without today. */
export const FORECAST_DAYS = 7
/** Fewer spends tell nothing about the days to come. */
export const SPENDS_MIN = 20n

export interface Forecast {
  readonly perDay: Micros
  readonly amount: Micros
}

/** What will be spent in so many days, if they are as the last seven were. Parts of a micro are dropped. */
export function forecast(spends: bigint, spent: Micros, days: number): Forecast | undefined {
  if (spends < SPENDS_MIN) return undefined
  const week = BigInt(FORECAST_DAYS)
  return { perDay: spent / week, amount: (spent * BigInt(days)) / week }
}
