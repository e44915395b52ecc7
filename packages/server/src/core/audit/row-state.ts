import { hash } from 'node:crypto'

/**
 * A leaf's commitment to the state of its row: a digest of each column (ADR 51). The salt of the leaf
 * is part of each digest, so that values cannot be guessed from the digests.
 */
export type RowState = Readonly<Record<string, string>>

/** A live row: each column as PostgreSQL's JSON text. */
export type RowTexts = Readonly<Record<string, string | null>>

/** 96 bits: too many to find a different value with the same digest by trial. */
export const DIGEST_DIGITS = 24

export function digestOf(column: string, text: string | null, salt: Buffer): string {
  const told = Buffer.from(text === null ? column : `${column}=${text}`)
  return hash('sha256', Buffer.concat([salt, told]), 'hex').slice(0, DIGEST_DIGITS)
}

/** The columns that differ from the leaf's state; a column that only one of the two has is left out. */
export function differingColumns(state: RowState, row: RowTexts, salt: Buffer): string[] {
  return Object.entries(state)
    .filter(([column, digest]) => {
      const text = row[column]
      return text !== undefined && digestOf(column, text, salt) !== digest
    })
    .map(([column]) => column)
}
