export interface NumberRange {
  min?: number | undefined
  max?: number | undefined
}

/** Keeps the digits, of which a whole number consists. */
export function onlyDigits(text: string): string {
  return text.replace(/\D/g, '').slice(0, 15)
}

/** The number of a text, or null. */
export function wholeNumber(text: string): number | null {
  return /^\d{1,15}$/.test(text) ? Number(text) : null
}

/** One step up or down, within the range. An empty field begins at the lowest value. */
export function stepped(text: string, by: number, { min = 0, max }: NumberRange): string {
  const now = wholeNumber(text)
  const next = now === null ? min : now + by
  const low = Math.max(min, next)
  return String(max === undefined ? low : Math.min(max, low))
}

/** Why a number is refused, or null. An empty text is no mistake: whether it may be is the form's. */
export function numberProblem(text: string, { min, max }: NumberRange): string | null {
  if (text === '') return null
  const number = wholeNumber(text)
  if (number === null) return 'Enter a whole number.'
  if (min !== undefined && number < min) return `Enter ${min} or more.`
  if (max !== undefined && number > max) return `Enter ${max} or less.`
  return null
}
