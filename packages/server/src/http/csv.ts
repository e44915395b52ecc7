import { isAskedFor } from './ndjson.ts'

export const CSV = 'text/csv'
export const CSV_TYPE = `${CSV}; charset=utf-8`

/** Whether a client asks for CSV by name, and does not prefer JSON. */
export function wantsCsv(accept: string | undefined): boolean {
  return isAskedFor(CSV, accept)
}

export type CsvValue = string | number | boolean | null | undefined

export function toCsvLine(values: readonly CsvValue[]): string {
  return `${values.map(toCell).join(',')}\r\n`
}

/**
 * A cell that begins like a formula is escaped as text, because spreadsheets would run it. Some
 * drop leading white space before they check, and some treat full-width signs like the plain ones.
 */
function toCell(value: CsvValue): string {
  if (value === null || value === undefined) return ''
  if (typeof value !== 'string') return String(value)
  const text = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
