import { decimalsOf } from '../trigger/minor-units.ts'

/**
 * Formats an amount for people: with the decimals of its currency, and with more if it has more. `5`
 * becomes `5.00`, and `0.000125` stays. (The shortest text of a number is exact up to the six
 * decimals that amounts have.)
 */
export function toAmountText(amount: number, currency?: string | null): string {
  const [units = '', decimals = ''] = String(amount).split('.')
  const shown = decimals.padEnd(decimalsOf(currency ?? ''), '0')
  return shown === '' ? units : `${units}.${shown}`
}

/** The same with the currency, if it is known. */
export function toMoneyText(amount: number, currency: string | null | undefined): string {
  return `${toAmountText(amount, currency)} ${currency ?? ''}`.trim()
}
