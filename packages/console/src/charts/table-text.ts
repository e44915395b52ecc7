/** Rows as text with tabs, which spreadsheets paste into cells. */
export function toTsv(rows: readonly (readonly string[])[]): string {
  return rows.map((cells) => cells.map(cleanCell).join('\t')).join('\n')
}

/** A tab or a line break inside a cell would move everything behind it. */
function cleanCell(text: string): string {
  return text.replace(/[\t\r\n]+/g, ' ').trim()
}

/** Compares numbers as numbers and texts as texts. */
export function compareCells(a: string | number, b: string | number): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return String(a).localeCompare(String(b), 'en')
}
