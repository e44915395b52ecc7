import { isCurrency } from '../../../core/currency.ts'
import { fromMinor, toMinor } from '../../../core/minor-unit.ts'
import type { Micros } from '../../../core/money.ts'
import { type Fields, fieldsOf, readId } from './merchant-text.ts'
import type { SessionTotal, Unreadable } from './version.ts'

export interface SessionMoney {
  /** The ISO 4217 code, in upper case. */
  readonly currency: string
  readonly total: Micros
  readonly totalMinor: number
  readonly totals: readonly SessionTotal[]
}

const TOTALS_MAX = 100

/**
 * Reads the currency and the totals of a session. The protocol's schemas require neither exactly
 * one total nor any arithmetic between the entries, so ambiguous totals are refused here.
 */
export function readMoney(session: Fields): SessionMoney | Unreadable {
  const currency = readCurrency(session['currency'])
  if (currency === null) return { unreadable: 'Its currency is not an ISO 4217 code.' }
  const totals = readTotals(session['totals'], currency)
  if (totals === null) {
    return { unreadable: 'Its totals are not a list of integers in the minor unit.' }
  }
  const [total, ...others] = totals.filter(({ type }) => type === 'total')
  if (!total) return { unreadable: 'Its totals have no entry of the type total.' }
  if (others.length > 0)
    return { unreadable: 'Its totals have more than one entry of the type total.' }
  if (total.amount < 0n) return { unreadable: 'Its total is negative.' }
  return {
    currency,
    total: total.amount,
    totalMinor: toMinor(total.amount, currency),
    totals,
  }
}

/**
 * Returns the currency in upper case. Refuses crypto tokens, which have no minor unit in the
 * protocol.
 */
export function readCurrency(value: unknown): string | null {
  if (typeof value !== 'string' || !/^[a-z]{3}$/i.test(value)) return null
  const code = value.toUpperCase()
  return isCurrency(code) ? code : null
}

/**
 * Returns all entries, or null if one of them has no valid amount. Only parts of a total can be
 * negative.
 */
export function readTotals(value: unknown, currency: string): readonly SessionTotal[] | null {
  if (!Array.isArray(value) || value.length > TOTALS_MAX) return null
  const totals: SessionTotal[] = []
  for (const entry of value) {
    const fields = fieldsOf(entry)
    const type = readId(fields['type'])
    const amount = fromMinor(fields['amount'], currency)
    if (type === null || amount === undefined) return null
    totals.push({ type, amount })
  }
  return totals
}
