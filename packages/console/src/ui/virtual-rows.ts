export interface Visible {
  index: number
  start: number
  end: number
}

/** Where each row begins, and at the end where the last one ends. */
export function offsetsOf(count: number, sizeOf: (index: number) => number): Float64Array {
  const offsets = new Float64Array(count + 1)
  for (let index = 0; index < count; index += 1) {
    offsets[index + 1] = (offsets[index] ?? 0) + sizeOf(index)
  }
  return offsets
}

/** The row at a height of the list. Above the list it is the first row, below it the last one. */
export function rowAt(offsets: Float64Array, y: number): number {
  let low = 0
  let high = Math.max(0, offsets.length - 2)
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((offsets[middle] ?? 0) <= y) low = middle
    else high = middle - 1
  }
  return low
}

/** The rows in view, and some before and behind them. */
export function visibleRows(
  offsets: Float64Array,
  view: { readonly top: number; readonly height: number },
  extra: number,
): Visible[] {
  const count = offsets.length - 1
  if (count === 0) return []
  const first = Math.max(0, rowAt(offsets, view.top) - extra)
  const last = Math.min(count - 1, rowAt(offsets, view.top + view.height) + extra)
  return Array.from({ length: last - first + 1 }, (_, at) => {
    const index = first + at
    return { index, start: offsets[index] ?? 0, end: offsets[index + 1] ?? 0 }
  })
}

/** The empty space above and below the rows that are drawn. */
export function spaceAround(
  items: readonly Visible[],
  total: number,
): { above: number; below: number } {
  const first = items.at(0)
  const last = items.at(-1)
  if (first === undefined || last === undefined) return { above: 0, below: 0 }
  return { above: first.start, below: Math.max(0, total - last.end) }
}

/** Whether the list is near its end, so that the next page should be asked for. */
export function isNearEnd(items: readonly Visible[], rows: number, ahead = 10): boolean {
  const last = items.at(-1)
  return last !== undefined && rows > 0 && last.index >= rows - ahead
}

/** How far to scroll so that the row is in view, under a head that sticks to the top. */
export function scrollFor(
  row: Pick<Visible, 'start' | 'end'>,
  view: { readonly top: number; readonly height: number },
  head: number,
): number {
  if (row.start < view.top) return row.start
  return Math.max(view.top, row.end + head - view.height)
}
