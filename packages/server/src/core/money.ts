import assert from 'node:assert/strict'

/** An exact amount: millionths of the currency's major unit. All arithmetic is done on these. */
export type Micros = bigint

/**
 * The largest amount that the API accepts. In micros it is below 2^53, so a number still holds it
 * exactly.
 */
export const MONEY_MAX = 999_999_999.999999

/** The same bound, exactly. */
export const MICROS_MAX: Micros = 999_999_999_999_999n

const MICROS_PER_UNIT = 1e6
const DECIMAL = /^(\d{1,9})(?:\.(\d{1,6}))?$/

/** Whether the API accepts this number as an amount: above zero and with at most six decimals. */
export function isMoney(units: number): boolean {
  return units > 0 && units <= MONEY_MAX && hasSixDecimals(units)
}

/**
 * The exact amount behind a number of currency units. The caller has checked the number (isMoney).
 * A number that would have to be rounded is a defect, because somebody would lose the difference.
 */
export function toMicros(units: number): Micros {
  assert(Math.abs(units) <= MONEY_MAX, 'the amount is within the range of the API')
  assert(hasSixDecimals(units), 'the amount has at most six decimals')
  return BigInt(Math.round(units * MICROS_PER_UNIT))
}

/** For API shapes only. Dividing once rounds correctly, so this is the inverse of toMicros. */
export function toUnits(micros: Micros): number {
  return Number(micros) / MICROS_PER_UNIT
}

/** For sentences: `12.5 USD`. */
export function showMoney(micros: Micros, currency: string): string {
  return `${toUnits(micros)} ${currency}`
}

/** A percentage with two decimals, rounded down: 100 is shown only when nothing is left. */
export function percentOf(part: Micros, whole: Micros): number {
  return Number((part * 10_000n) / whole) / 100
}

/** The exact amount of a decimal text such as `20` or `0.001`; undefined for any other spelling. */
export function parseMicros(text: string): Micros | undefined {
  const [, whole, fraction = ''] = DECIMAL.exec(text) ?? []
  return whole === undefined ? undefined : BigInt(whole + fraction.padEnd(6, '0'))
}

// A number has at most six decimals exactly when going to micros and back returns the same number.
function hasSixDecimals(units: number): boolean {
  return Math.round(units * MICROS_PER_UNIT) / MICROS_PER_UNIT === units
}
