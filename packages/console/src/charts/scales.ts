import { linear } from './linear.ts'

export const LEFT = 40
const RIGHT = 8
const TOP = 10
const BOTTOM = 22
const BAND_PADDING = 0.36
const WIDEST_BAR = 18

export interface Heights {
  /** The highest stack above the line. */
  up: number
  /** The lowest bar below it. */
  down: number
}

export interface BarScales {
  zero: number
  /** The y of an amount. Amounts below the line are negative. */
  y: (amount: number) => number
  ticks: readonly number[]
  /** The left edge and the width of a column. */
  column: (index: number) => { x: number; width: number; center: number }
  barWidth: number
  right: number
  bottom: number
}

/** One linear scale above and below the line, and a column for each day. */
export function barScales(count: number, width: number, height: number, most: Heights): BarScales {
  const step = gridStep(Math.max(most.up, most.down))
  const half = step / 2
  const top = Math.max(step, Math.ceil((most.up * 1.04) / half) * half)
  // Below the line there is room for the longest bar, and always for a small one.
  const low = Math.max(most.down * 1.15, top * 0.12)
  const y = linear([-low, top], [height - BOTTOM, TOP])
  // Half of the padding stands at each end, so that all columns have the same width.
  const columnWidth = (Math.max(LEFT + 1, width - RIGHT) - LEFT) / Math.max(1, count)
  return {
    zero: y(0),
    y: (amount) => y(amount),
    ticks: gridTicks(step, top, low),
    column: (index) => {
      const x = LEFT + columnWidth * index
      return { x, width: columnWidth, center: x + columnWidth / 2 }
    },
    barWidth: Math.min(WIDEST_BAR, columnWidth * (1 - BAND_PADDING)),
    right: width - RIGHT,
    bottom: height - BOTTOM,
  }
}

/** The distance of grid lines: 1, 2 or 5 times a power of ten, so that there are 3 or 4 of them. */
export function gridStep(most: number): number {
  if (!(most > 0)) return 1
  const rough = most / 4
  const power = 10 ** Math.floor(Math.log10(rough))
  const [factor = 10] = [1, 2, 5, 10].filter((one) => one * power >= rough * 0.999)
  return factor * power
}

function gridTicks(step: number, top: number, low: number): number[] {
  const ticks: number[] = []
  for (let value = step; value <= top * 1.0001; value += step) ticks.push(value)
  for (let value = step; value <= low; value += step) ticks.push(-value)
  return ticks
}

/** Every how many columns a label fits. Days of a month are labelled by the week if possible. */
export function labelEvery(count: number, columnWidth: number, labelWidth = 46): number {
  const fits = Math.max(1, Math.ceil(labelWidth / Math.max(1, columnWidth)))
  if (count > 14 && fits <= 7) return 7
  return fits
}

/** How many of the newest days are shown: on a phone two weeks. */
export function daysShown(count: number, width: number): number {
  return width > 0 && width < 420 ? Math.min(count, 14) : count
}

export interface TipPlace {
  x: number
  side: 'left' | 'right'
}

/** Where a tooltip stands, beside its column and inside the chart. Null: there is no room. */
export function tipPlace(
  column: { x: number; width: number },
  width: number,
  tipWidth: number,
  gap = 6,
): TipPlace | null {
  const left = column.x - gap - tipWidth
  if (left >= 0) return { x: left, side: 'left' }
  const right = column.x + column.width + gap
  if (right + tipWidth <= width) return { x: right, side: 'right' }
  return null
}

const SHORT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })
const PLAIN = new Intl.NumberFormat('en', { maximumFractionDigits: 6 })

/** The text of a grid line. It has no sign: an amount below the line is no negative money. */
export function axisText(amount: number): string {
  const size = Math.abs(amount)
  return size >= 10_000 ? SHORT.format(size) : PLAIN.format(size)
}
