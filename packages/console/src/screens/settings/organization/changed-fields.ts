import { moneyValue } from '../../../ui/money-text.ts'

/** The fields that a person typed and that differ from the saved ones. An empty text is no change. */
export function changedFields<T extends object>(saved: T, typed: Partial<T>): Partial<T> {
  const entries = Object.entries(typed).filter(
    ([name, value]) => value !== '' && value !== undefined && saved[name as keyof T] !== value,
  )
  return Object.fromEntries(entries) as Partial<T>
}

/** A number of days as a person types it: empty means forever. Undefined if it is no number. */
export function toDays(text: string): number | null | undefined {
  const days = text.trim()
  if (days === '') return null
  return /^\d{1,6}$/.test(days) ? Number(days) : undefined
}

/** Whether a new limit removes data that the old one kept. Null is forever. */
export function isShorter(before: number | null, after: number | null): boolean {
  return after !== null && (before === null || after < before)
}

/** An amount as a person types it: empty means none. NaN while the text is no amount. */
export function limitOf(typed: string | null, saved: number | null): number | null {
  if (typed === null) return saved
  return typed.trim() === '' ? null : Number(moneyValue(typed) ?? Number.NaN)
}
