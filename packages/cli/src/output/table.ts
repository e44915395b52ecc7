import { type Color, paint } from './color.ts'
import { plain } from './plain.ts'
import { cut, pad, terminalWidth, widthOf } from './width.ts'

/** One column of a table: its heading, and the text of a row in it. */
export interface Column<Row> {
  readonly title: string
  readonly text: (row: Row) => string | number | null | undefined
  readonly align?: 'right'
  /**
   * A narrow terminal shortens it, to this many characters at least. Columns without it keep their
   * whole text: ids.
   */
  readonly shrinksTo?: number
  /** A terminal that is too narrow leaves it out, the lowest number first. */
  readonly spare?: number
  readonly color?: (row: Row) => Color | undefined
}

const GAP = 2
/** What most columns shrink to. */
export const SHORT = 8

/**
 * Formats rows as a table with headings. At a terminal, it fits the width: long texts are cut, then
 * columns are left out, and if that is not enough, each row becomes a block of lines with all columns.
 * Elsewhere the table is complete.
 */
export function toTable<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string[] {
  const width = terminalWidth()
  for (let shown = columns; ; ) {
    const table = toFittingTable(rows, shown, width)
    if (table !== undefined) return table
    const spare = shown.filter((column) => column.spare !== undefined)
    if (spare.length === 0) return toBlocks(rows, columns)
    const least = Math.min(...spare.map((column) => column.spare ?? 0))
    shown = shown.filter((column) => column.spare !== least)
  }
}

/** Undefined if the columns do not fit, also when they are cut. */
function toFittingTable<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  terminal: number | undefined,
): string[] | undefined {
  const cells = toCells(rows, columns)
  const natural = columns.map(({ title }, index) =>
    Math.max(widthOf(title), ...cells.map((row) => widthOf(row[index] ?? ''))),
  )
  const widths = fit(natural, columns, terminal)
  if (widths === undefined) return undefined
  const line = (texts: readonly string[], colors: readonly (Color | undefined)[]): string =>
    texts
      .map((text, index) => {
        const width = widths[index] ?? 0
        const isLast = index === texts.length - 1
        const shown = cut(text, width)
        const { align } = columns[index] ?? {}
        const padded = isLast && align !== 'right' ? shown : pad(shown, width, align)
        return paint(padded, colors[index])
      })
      .join(' '.repeat(GAP))
      .trimEnd()
  const titles = columns.map(({ title }) => title)
  const head = line(
    titles,
    titles.map(() => 'dim' as const),
  )
  const body = rows.map((row, index) =>
    line(
      cells[index] ?? [],
      columns.map(({ color }) => color?.(row)),
    ),
  )
  return [head, ...body]
}

function toCells<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string[][] {
  return rows.map((row) => columns.map(({ text }) => plain(String(text(row) ?? ''))))
}

/** Returns the widths that fit, or undefined if the terminal is too narrow for a table. */
function fit<Row>(
  natural: readonly number[],
  columns: readonly Column<Row>[],
  terminal: number | undefined,
): readonly number[] | undefined {
  if (terminal === undefined) return natural
  const widths = [...natural]
  const total = (): number => widths.reduce((sum, width) => sum + width, GAP * (widths.length - 1))
  while (total() > terminal) {
    const widest = columns.reduce<number | undefined>((best, { shrinksTo }, index) => {
      const width = widths[index] ?? 0
      if (shrinksTo === undefined || width <= shrinksTo) return best
      return best === undefined || width > (widths[best] ?? 0) ? index : best
    }, undefined)
    if (widest === undefined) return undefined
    widths[widest] = (widths[widest] ?? 0) - 1
  }
  return widths
}

function toBlocks<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string[] {
  const cells = toCells(rows, columns)
  const width = Math.max(...columns.map(({ title }) => widthOf(title)))
  return rows.flatMap((row, index) => {
    const lines = columns.flatMap(({ title, color }, column) => {
      const text = cells[index]?.[column] ?? ''
      return text === '' ? [] : [`${pad(title, width)}  ${paint(text, color?.(row))}`]
    })
    return index === 0 ? lines : ['', ...lines]
  })
}
