import { type Color, paint } from './color.ts'
import { plain } from './plain.ts'
import { cut, pad, terminalWidth, widthOf } from './width.ts'

/** One column of a table: its heading, and the text of a row in it. */
export interface Column<Row> {
  readonly title: string
  readonly text: (row: Row) => string | number | null | undefined
  readonly align?: 'right'
  /** Shortened first if the terminal is narrow. Columns without it keep their whole text: ids. */
  readonly canShrink?: true
  readonly color?: (row: Row) => Color | undefined
}

const GAP = 2
const SHRUNK_MIN = 8

/**
 * Formats rows as a table with headings. At a terminal, it fits the width: long texts are cut, and
 * if that is not enough, each row becomes a block of lines. Elsewhere no text is cut.
 */
export function toTable<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string[] {
  const cells = rows.map((row) => columns.map(({ text }) => plain(String(text(row) ?? ''))))
  const natural = columns.map(({ title }, index) =>
    Math.max(widthOf(title), ...cells.map((row) => widthOf(row[index] ?? ''))),
  )
  const widths = fit(natural, columns, terminalWidth())
  if (widths === undefined) return toBlocks(rows, cells, columns)
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
    const widest = columns.reduce<number | undefined>((best, { canShrink }, index) => {
      const width = widths[index] ?? 0
      if (!canShrink || width <= SHRUNK_MIN) return best
      return best === undefined || width > (widths[best] ?? 0) ? index : best
    }, undefined)
    if (widest === undefined) return undefined
    widths[widest] = (widths[widest] ?? 0) - 1
  }
  return widths
}

function toBlocks<Row>(
  rows: readonly Row[],
  cells: readonly (readonly string[])[],
  columns: readonly Column<Row>[],
): string[] {
  const width = Math.max(...columns.map(({ title }) => widthOf(title)))
  return rows.flatMap((row, index) => {
    const lines = columns.flatMap(({ title, color }, column) => {
      const text = cells[index]?.[column] ?? ''
      return text === '' ? [] : [`${pad(title, width)}  ${paint(text, color?.(row))}`]
    })
    return index === 0 ? lines : ['', ...lines]
  })
}
