import type { HeaderLine } from '../export-line.ts'

/** The part of the audit log that the kept heads and receipts were compared with. */
export interface ComparedExport {
  readonly content: HeaderLine['content']
  /** The index of the first leaf. */
  readonly from: number
  readonly size: number
}

/** A kept head or receipt that was not found in the export. */
export interface LeftOver {
  /** Either it should have been there, or this export cannot show whether it is in the audit log. */
  readonly kind: 'mismatch' | 'incomparable'
  readonly text: string
}

/** A mismatch comes first, because it is a definite result. */
export function firstLeftOver(found: readonly (LeftOver | undefined)[]): LeftOver | undefined {
  const all = found.filter((one) => one !== undefined)
  return all.find(({ kind }) => kind === 'mismatch') ?? all[0]
}
