import { linear } from './linear.ts'

/** From the smallest to the largest value. A line without values or without change lies low. */
export function sparkPoints(
  values: readonly number[],
  width: number,
  height: number,
): [number, number][] {
  const shown = values.length > 1 ? values : [values[0] ?? 0, values[0] ?? 0]
  const low = Math.min(...shown)
  const high = Math.max(...shown)
  const x = linear([0, shown.length - 1], [2, width - 5])
  const y = linear([low, high === low ? low + 1 : high], [height - 4, 4])
  return shown.map((value, index) => [x(index), y(value)])
}

/** The path of a line through the points. */
export function linePath(points: readonly (readonly [number, number])[]): string {
  return points.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${round(x)},${round(y)}`).join('')
}

/** A thousandth of a pixel is enough. */
function round(value: number): number {
  return Math.round(value * 1_000) / 1_000
}
