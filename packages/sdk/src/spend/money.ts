import { PurserError } from '../client/errors.ts'

/** An amount in units of a currency: 12.5, `'12.50'`, or the result of an earlier calculation. */
export type Amount = number | string | Money

/**
 * How to round. `up`: away from zero. `down`: towards zero. `nearest`: to the nearer neighbour, and
 * away from zero from exactly the middle.
 */
export type Rounding = 'up' | 'down' | 'nearest'

const DECIMALS = 6
const MICROS_PER_UNIT = 1_000_000n
/** From here on, a double cannot tell two neighbouring amounts of six decimals apart. */
const NUMBER_END = 2 ** 33
/** 15 digits before the point are more than any currency needs. */
const DECIMAL = /^(-?)(\d{1,15})(?:\.(\d{1,100}))?$/

/**
 * Makes an amount for exact calculations: `money(0.1).plus(0.2).toNumber()` is 0.3. Amounts have at
 * most six decimals, as in the API. An amount with more is refused, unless `round` says how to round
 * it.
 */
export function money(amount: Amount, options: { readonly round?: Rounding } = {}): Money {
  return new Money(microsOf(amount, options.round))
}

/** Adds up a list of amounts. The sum of an empty list is 0. */
export function sumMoney(amounts: Iterable<Amount>): Money {
  let micros = 0n
  for (const amount of amounts) micros += microsOf(amount)
  return new Money(micros)
}

/** An exact amount. It never changes: each calculation returns a new one. */
class Money {
  /** The amount in millionths of the currency's unit. */
  readonly micros: bigint

  constructor(micros: bigint) {
    this.micros = micros
  }

  plus(amount: Amount): Money {
    return new Money(this.micros + microsOf(amount))
  }

  minus(amount: Amount): Money {
    return new Money(this.micros - microsOf(amount))
  }

  /** Rounds to this number of decimals, by default to the nearest amount. */
  round(decimals: number, rounding: Rounding = 'nearest'): Money {
    if (!Number.isInteger(decimals) || decimals < 0 || decimals > DECIMALS) {
      throw badAmount(`\`decimals\` is ${decimals}, but must be a whole number from 0 to 6.`)
    }
    const step = 10n ** BigInt(DECIMALS - decimals)
    return new Money(divide(this.micros, step, rounding) * step)
  }

  /** Returns a negative number if this amount is the smaller one, 0 if both are equal. For `sort`. */
  compare(amount: Amount): -1 | 0 | 1 {
    const other = microsOf(amount)
    if (this.micros === other) return 0
    return this.micros < other ? -1 : 1
  }

  equals(amount: Amount): boolean {
    return this.compare(amount) === 0
  }

  isLessThan(amount: Amount): boolean {
    return this.compare(amount) < 0
  }

  isMoreThan(amount: Amount): boolean {
    return this.compare(amount) > 0
  }

  /** The amount as the API takes it. Throws if it is too large to be exact as a number. */
  toNumber(): number {
    const units = Number(this.micros) / Number(MICROS_PER_UNIT)
    if (Math.abs(units) < NUMBER_END) return units
    throw badAmount(`${this} is too large for a number with six decimals. Use \`toString()\`.`)
  }

  /** The exact amount without a currency and without needless zeros: `12.5`. */
  toString(): string {
    const digits = String(this.micros)
      .replace('-', '')
      .padStart(DECIMALS + 1, '0')
    const fraction = digits.slice(-DECIMALS).replace(/0+$/, '')
    return `${this.micros < 0n ? '-' : ''}${digits.slice(0, -DECIMALS)}${fraction && `.${fraction}`}`
  }

  /** A number, as in the bodies of the API. */
  toJSON(): number {
    return this.toNumber()
  }

  /**
   * The amount for people, with as many decimals as it needs: `$12.50`, `$0.001`. The locale is by
   * default that of the runtime.
   */
  format(currency: string, locale?: string): string {
    // Intl knows only the three letters of ISO 4217, and not USDC.
    const isIso = /^[a-z]{3}$/i.test(currency)
    const { format } = new Intl.NumberFormat(locale, {
      ...(isIso ? { style: 'currency', currency } : { minimumFractionDigits: 2 }),
      maximumFractionDigits: DECIMALS,
    })
    const text = format(this.toString() as `${number}`)
    return isIso ? text : `${text}\u00a0${currency}`
  }

  /** `a < b` works. `a + b` would calculate with numbers or join texts, so it throws. */
  [Symbol.toPrimitive](hint: string): string | number {
    if (hint === 'default') throw new TypeError('Use `plus` or `equals` instead of `+` or `==`.')
    return hint === 'number' ? this.toNumber() : this.toString()
  }
}

export type { Money }

function microsOf(amount: Amount, rounding?: Rounding): bigint {
  if (amount instanceof Money) return amount.micros
  return typeof amount === 'number' ? fromNumber(amount, rounding) : fromText(amount, rounding)
}

/**
 * A number means the nearest amount of six decimals if it differs from it only by the noise of
 * floating point, as the gateway reads amounts (ADR 34): at most four times `Number.EPSILON` of its
 * size, and less than half of a seventh decimal.
 */
function fromNumber(units: number, rounding: Rounding | undefined): bigint {
  if (!Number.isFinite(units)) throw badAmount(`${units} is not an amount.`)
  if (Math.abs(units) >= NUMBER_END) {
    throw badAmount(`${units} is too large for a number with six decimals. Pass a text.`)
  }
  const micros = Math.round(units * 1e6)
  const noise = Math.abs(units - micros / 1e6)
  const isMeant = noise < 0.5e-7 && noise <= 4 * Number.EPSILON * Math.abs(units)
  if (isMeant) return BigInt(micros)
  const text = String(units)
  return fromText(text.includes('e') ? units.toFixed(20) : text, rounding)
}

function fromText(text: string, rounding: Rounding | undefined): bigint {
  const [match, sign, whole = '', fraction = ''] = DECIMAL.exec(text) ?? []
  if (match === undefined) {
    throw badAmount(
      `${JSON.stringify(text)} is not an amount. An amount is a number or a text like '12.50', with at most 15 digits before the point.`,
    )
  }
  const excess = Math.max(fraction.length - DECIMALS, 0)
  const digits = BigInt(whole + fraction.padEnd(DECIMALS, '0'))
  const step = 10n ** BigInt(excess)
  if (rounding === undefined && digits % step !== 0n) {
    throw badAmount(
      `${text} has more than six decimals. Round it: \`money(amount, { round: 'up' })\`.`,
    )
  }
  const micros = divide(digits, step, rounding ?? 'nearest')
  return sign ? -micros : micros
}

function divide(value: bigint, step: bigint, rounding: Rounding): bigint {
  const size = value < 0n ? -value : value
  const added = { up: step - 1n, down: 0n, nearest: step / 2n }[rounding]
  const quotient = (size + added) / step
  return value < 0n ? -quotient : quotient
}

function badAmount(detail: string): PurserError {
  return new PurserError(detail, { code: 'invalid_amount' })
}
