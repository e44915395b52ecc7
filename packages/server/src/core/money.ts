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

/**
 * The relative error that a number may have: four to eight steps of a double at its size. 0.1 + 0.2 is
 * one such step above 0.3.
 */
const NOISE_MAX = 4 * Number.EPSILON

/**
 * Noise is less than half of a seventh decimal, at any step size. So a number written with seven
 * decimals is never mistaken for a different one.
 */
const NOISE_UNITS_MAX = 0.5e-7

/** Whether the API accepts this number as an amount: above zero and with at most six decimals. */
export function isMoney(units: number): boolean {
  return units > 0 && units <= MONEY_MAX && meansSixDecimals(units)
}

/**
 * The exact amount behind a number of currency units. The caller has checked the number (isMoney). A
 * number that would have to be rounded is a defect, because one party would lose the difference.
 */
export function toMicros(units: number): Micros {
  assert(Math.abs(units) <= MONEY_MAX, 'the amount is within the range of the API')
  assert(meansSixDecimals(units), 'the amount has at most six decimals')
  return BigInt(Math.round(units * MICROS_PER_UNIT))
}

/** The number without its noise, for values that are stored and shown as numbers. */
export function toExactUnits(units: number): number {
  return toUnits(toMicros(units))
}

/** Why a number is not a valid amount, worded to follow the name of its field. */
export function whyNoMoney(units: number): string {
  const received = `is ${showNumber(units)}, but must`
  if (!(units > 0)) return `${received} be above 0`
  if (units > MONEY_MAX) return `${received} be at most ${MONEY_MAX}`
  return `${received} have at most six decimals`
}

/** For API shapes only. Dividing once rounds correctly, so this is the inverse of toMicros. */
export function toUnits(micros: Micros): number {
  return Number(micros) / MICROS_PER_UNIT
}

/** The exact amount as a decimal text: `12.5`. It is the inverse of parseMicros. */
export function toDecimal(micros: Micros): string {
  const digits = String(micros).padStart(7, '0')
  const fraction = digits.slice(-6).replace(/0+$/, '')
  return fraction === '' ? digits.slice(0, -6) : `${digits.slice(0, -6)}.${fraction}`
}

/** For sentences: `12.5 USD`. */
export function showMoney(micros: Micros, currency: string): string {
  return `${toUnits(micros)} ${currency}`
}

/** The smallest of some amounts. */
export function least(first: Micros, ...others: readonly Micros[]): Micros {
  let smallest = first
  for (const other of others) if (other < smallest) smallest = other
  return smallest
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

/**
 * A number has at most six decimals exactly when going to micros and back returns the same number.
 * One that was computed from such numbers may be off by the noise of floating point.
 */
function meansSixDecimals(units: number): boolean {
  const meant = Math.round(units * MICROS_PER_UNIT) / MICROS_PER_UNIT
  if (meant === units) return true
  const noise = Math.abs(units - meant)
  return noise < NOISE_UNITS_MAX && noise <= NOISE_MAX * Math.abs(units)
}

/**
 * Shows a number as people write it: 0.0000001 rather than 1e-7. Numbers of more than 20 decimals stay
 * short.
 */
function showNumber(units: number): string {
  const text = String(units)
  const [digits = '', exponent] = text.split('e-')
  if (exponent === undefined) return text
  const decimals = Number(exponent) + (digits.split('.')[1]?.length ?? 0)
  return decimals > 20 ? text : units.toFixed(decimals)
}
