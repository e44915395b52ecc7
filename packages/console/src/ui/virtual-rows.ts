export interface Visible {
  index: number
  start: number
  end: number
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
