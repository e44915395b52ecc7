import { hash } from 'node:crypto'

/**
 * What a leaf commits to of the row that it left: a digest of each column. The salt of the leaf is part of
 * it, so that nobody who has only the digests finds out a value by trying.
 */
export type RowState = Readonly<Record<string, string>>

/** A live row: each column as the text that PostgreSQL makes of it as JSON. */
export type RowTexts = Readonly<Record<string, string | null>>

/** 96 bits: whoever wants another value with the same digest has to try for ever. */
export const DIGEST_DIGITS = 24

export function digestOf(column: string, text: string | null, salt: Buffer): string {
  const told = Buffer.from(text === null ? column : `${column}=${text}`)
  return hash('sha256', Buffer.concat([salt, told]), 'hex').slice(0, DIGEST_DIGITS)
}

/** The columns that are not what the leaf left; a column that one of the two does not know is left out. */
export function differingColumns(state: RowState, row: RowTexts, salt: Buffer): string[] {
  return Object.entries(state)
    .filter(([column, digest]) => {
      const text = row[column]
      return text !== undefined && digestOf(column, text, salt) !== digest
    })
    .map(([column]) => column)
}
