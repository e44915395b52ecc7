import type { Statement } from './queryable.ts'
import { plainArray, textArray } from './wire-array.ts'

/**
 * One row for a statement over many rows. The rows of a batch with the same name are sent as one
 * statement. Its first parameter is the organization; each further one is a column, as an array.
 */
export interface RowStatement {
  readonly name: string
  readonly text: string
  readonly columns: readonly Column[]
  /**
   * The same for a row that is alone in its batch, with the columns as plain values: it unpacks no
   * arrays, which takes the server about half the time (ADR 58).
   */
  readonly alone: { readonly name: string; readonly text: string }
}

/** A value for a plainArray or a textArray (wire-array.ts). */
type Column =
  | { readonly plain: string | bigint | number | null }
  | { readonly anyText: string | null }

/** Keeps the order of the statements; rows of one name take the place of the first. */
export function joinRows(
  organizationId: string,
  statements: readonly (Statement | RowStatement)[],
): Statement[] {
  const groups = new Map<unknown, (Statement | RowStatement)[]>()
  for (const statement of statements) {
    const group = 'columns' in statement ? statement.name : statement
    const others = groups.get(group)
    if (others) others.push(statement)
    else groups.set(group, [statement])
  }
  return [...groups.values()].flatMap((group) => toStatements(organizationId, group))
}

function toStatements(
  organizationId: string,
  group: readonly (Statement | RowStatement)[],
): Statement[] {
  const rows = group.filter((statement) => 'columns' in statement)
  const [first] = rows
  if (!first) return group.filter((statement) => !('columns' in statement))
  if (rows.length === 1) return [aloneOf(organizationId, first)]
  const { name, text, columns } = first
  const arrays = columns.map((_column, at) => toArray(rows.map((row) => row.columns[at])))
  return [{ name, text, values: [organizationId, ...arrays] }]
}

function aloneOf(organizationId: string, { alone, columns }: RowStatement): Statement {
  const values = columns.map((cell) => ('plain' in cell ? cell.plain : cell.anyText))
  return { ...alone, values: [organizationId, ...values] }
}

function toArray(column: readonly (Column | undefined)[]): string {
  const isPlain = column.some((cell) => cell !== undefined && 'plain' in cell)
  return isPlain
    ? plainArray(column.map((cell) => (cell && 'plain' in cell ? cell.plain : null)))
    : textArray(column.map((cell) => (cell && 'anyText' in cell ? cell.anyText : null)))
}
