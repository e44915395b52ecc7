import type { FieldDef } from 'pg'
import { columnTypes } from './column-types.ts'

/** Makes a row from the texts of its columns. */
export type ToRow = (texts: readonly (string | null)[]) => Record<string, unknown>

/**
 * The shapes of the rows of a connection's prepared statements, by their names. A shape is learned
 * from the server once. It cannot change while the connection lives: if a migration changes a
 * column of the result, the server refuses the prepared statement.
 */
export type RowShapes = Map<string, ToRow>

export function shapesOf(connection: object): RowShapes {
  let shapes = known.get(connection)
  if (!shapes) {
    shapes = new Map()
    known.set(connection, shapes)
  }
  return shapes
}

const known = new WeakMap<object, RowShapes>()

/** The shape of a statement without rows. */
export const NO_COLUMNS: ToRow = () => ({})

export function toShape(fields: readonly FieldDef[]): ToRow {
  const names = fields.map(({ name }) => name)
  const parsers = fields.map(({ dataTypeID }) => columnTypes.getTypeParser(dataTypeID))
  // A copy of an object with all names is faster than adding the names one by one.
  const empty: Record<string, unknown> = Object.fromEntries(names.map((name) => [name, null]))
  return (texts) => {
    const row = { ...empty }
    for (let at = 0; at < names.length; at++) {
      const text = texts[at]
      const name = names[at]
      if (text !== null && text !== undefined && name !== undefined) row[name] = parsers[at]?.(text)
    }
    return row
  }
}
