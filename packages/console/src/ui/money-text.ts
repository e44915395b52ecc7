/** Amounts are decimal text with up to 6 places, as in the API. They are never floats. */
const PLACES = 6
const WHOLE_DIGITS = 15

const PLAIN = /^(\d+)(?:\.(\d*))?$/
const GROUPED = /^\d{1,3}(?:,\d{3})+(?:\.\d*)?$/

/** Keeps digits, stops and commas. A comma stays, because its meaning is not known yet. */
export function typedMoney(text: string): string {
  return text.replace(/[^\d.,]/g, '')
}

/** The amount of a text as the API takes it, or null: "1,480" is 1480, "12,50" is nothing. */
export function moneyValue(text: string): string | null {
  const trimmed = text.trim()
  const plain = GROUPED.test(trimmed) ? trimmed.replaceAll(',', '') : trimmed
  const [, whole = '', fraction = ''] = PLAIN.exec(plain) ?? []
  if (whole === '' || fraction.length > PLACES) return null
  const digits = whole.replace(/^0+(?=\d)/, '')
  if (digits.length > WHOLE_DIGITS) return null
  return fraction === '' ? digits : `${digits}.${fraction}`
}

/** The amount with at least two places, as people write it: "250" becomes "250.00". */
export function tidyMoney(text: string): string {
  const value = moneyValue(text)
  if (value === null) return text
  const [whole = '0', fraction = ''] = value.split('.')
  const kept = fraction.replace(/0+$/, '')
  return `${whole}.${kept.padEnd(2, '0')}`
}

/** The amount with separators between thousands, to read: "1480.00" becomes "1,480.00". */
export function groupedMoney(text: string): string {
  if (moneyValue(text) === null) return text
  const [whole = '', ...fraction] = text.trim().replaceAll(',', '').split('.')
  return [whole.replace(/\B(?=(\d{3})+$)/g, ','), ...fraction].join('.')
}

/** Why a text is no amount, or null. An empty text is no mistake here. */
export function moneyProblem(text: string): string | null {
  const trimmed = text.trim()
  if (trimmed === '' || moneyValue(trimmed) !== null) return null
  if (/^\d+,\d+$/.test(trimmed)) {
    return `Use a point for decimals: ${trimmed.replace(',', '.')}.`
  }
  if (/^[\d,]*\.\d{7,}$/.test(trimmed)) return `Use at most ${PLACES} decimals.`
  return 'Enter an amount, for example 250.00.'
}
