import { useState } from 'react'
import { CopyButton } from '../ui/copy-button.tsx'
import { Row, type SortDirection, Table, Td, Th } from '../ui/table.tsx'
import { compareCells, toTsv } from './table-text.ts'

export interface DataColumn<T> {
  id: string
  header: string
  text: (row: T) => string
  /** The value that the column is sorted by. */
  order: (row: T) => string | number
  align?: 'left' | 'right' | undefined
}

export interface DataTableProps<T> {
  caption: string
  columns: readonly DataColumn<T>[]
  rows: readonly T[]
  rowKey: (row: T) => string
}

/** The figures of a chart as a table that sorts and copies into a spreadsheet. */
export function DataTable<T>({ caption, columns, rows, rowKey }: DataTableProps<T>) {
  const [sort, setSort] = useState<{ id: string; direction: SortDirection } | null>(null)
  const sorted = sortedRows(rows, columns, sort)
  const tsv = () =>
    toTsv([
      columns.map((column) => column.header),
      ...sorted.map((row) => columns.map((column) => column.text(row))),
    ])
  function turn(id: string) {
    const isUp = sort?.id === id && sort.direction === 'ascending'
    setSort({ id, direction: isUp ? 'descending' : 'ascending' })
  }
  return (
    <div className="min-w-0">
      <div className="max-h-80 overflow-auto">
        <Table caption={caption} inCard>
          <thead className="sticky top-0 z-1">
            <tr>
              {columns.map((column) => (
                <Th
                  align={column.align}
                  key={column.id}
                  onSort={() => turn(column.id)}
                  sort={sort?.id === column.id ? sort.direction : false}
                >
                  {column.header}
                </Th>
              ))}
            </tr>
          </thead>
          <tbody>
            {sorted.map((row) => (
              <Row key={rowKey(row)}>
                {columns.map((column) => (
                  <Td align={column.align} className="h-8" key={column.id}>
                    {column.text(row)}
                  </Td>
                ))}
              </Row>
            ))}
          </tbody>
        </Table>
      </div>
      <div className="border-t border-line px-3.5 py-2" data-print="none">
        <CopyButton label="Copy for a spreadsheet" size="sm" text={tsv} variant="quiet" />
      </div>
    </div>
  )
}

function sortedRows<T>(
  rows: readonly T[],
  columns: readonly DataColumn<T>[],
  sort: { id: string; direction: SortDirection } | null,
): readonly T[] {
  const column = columns.find(({ id }) => id === sort?.id)
  if (column === undefined) return rows
  const sign = sort?.direction === 'descending' ? -1 : 1
  return rows.toSorted((a, b) => sign * compareCells(column.order(a), column.order(b)))
}
