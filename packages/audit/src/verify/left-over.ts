import type { HeaderLine } from '../export-line.ts'

/** What the kept heads and receipts were compared with. */
export interface ComparedExport {
  readonly content: HeaderLine['content']
  /** The index of the first leaf. */
  readonly from: number
  readonly size: number
}

/** Something that was kept and was not found in the export. */
export interface LeftOver {
  /** It should have been there, or this export cannot show whether it is in the log. */
  readonly kind: 'mismatch' | 'incomparable'
  readonly text: string
}

/** A mismatch first: whatever else is missing, it has an answer. */
export function firstLeftOver(found: readonly (LeftOver | undefined)[]): LeftOver | undefined {
  const all = found.filter((one) => one !== undefined)
  return all.find(({ kind }) => kind === 'mismatch') ?? all[0]
}
