import { fromLocalText, toLocalText } from '../../../../words/zoned-time.ts'

/** The instant of a field for a date and a time; null if the field is empty. */
export function instantOf(text: string, timezone: string): string | null {
  return fromLocalText(text, timezone)?.toISOString() ?? null
}

/** The instant as the text of such a field. */
export function localOf(at: string | null, timezone: string): string {
  return at === null ? '' : toLocalText(new Date(at), timezone)
}
