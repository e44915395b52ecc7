import { describe, expect, it } from 'vitest'
import { movedIndex } from '../../src/charts/roving.ts'
import {
  axisText,
  barScales,
  daysShown,
  gridStep,
  labelEvery,
  tipPlace,
} from '../../src/charts/scales.ts'

describe('scales of the bars', () => {
  it.each([
    [0, 1],
    [4, 1],
    [218, 100],
    [383, 100],
    [0.02, 0.005],
    [1_000_000, 500_000],
  ])('divides %d by lines at each %d', (most, step) => {
    expect(gridStep(most)).toBeCloseTo(step, 9)
  })

  it('has one scale above and below the line', () => {
    const { y, zero, bottom } = barScales(7, 500, 200, { up: 218, down: 90 })
    expect(zero - y(100)).toBeCloseTo(y(-100) - zero, 6)
    expect(y(218)).toBeGreaterThanOrEqual(10)
    expect(y(-90)).toBeLessThan(bottom)
  })

  it('keeps columns inside the drawing and bars at most 18 px wide', () => {
    const scales = barScales(30, 716, 262, { up: 10, down: 0 })
    expect(scales.column(0).x).toBeCloseTo(40, 6)
    const last = scales.column(29)
    expect(last.x + last.width).toBeLessThanOrEqual(709)
    expect(barScales(3, 716, 262, { up: 10, down: 0 }).barWidth).toBe(18)
  })

  it('has finite places when nothing was spent', () => {
    const scales = barScales(7, 500, 200, { up: 0, down: 0 })
    expect(Number.isFinite(scales.zero)).toBe(true)
    expect(Number.isFinite(scales.y(0))).toBe(true)
  })

  it('labels a month by the week and shows two weeks on a phone', () => {
    expect(labelEvery(30, 22)).toBe(7)
    expect(labelEvery(7, 64)).toBe(1)
    expect(daysShown(30, 260)).toBe(14)
    expect(daysShown(7, 260)).toBe(7)
    expect(daysShown(30, 716)).toBe(30)
  })

  it('never puts the tooltip over its column or outside the chart', () => {
    expect(tipPlace({ x: 300, width: 22 }, 716, 172)).toEqual({ x: 122, side: 'left' })
    expect(tipPlace({ x: 44, width: 22 }, 716, 172)).toEqual({ x: 72, side: 'right' })
    expect(tipPlace({ x: 120, width: 22 }, 260, 172)).toBeNull()
  })

  it('writes amounts without a sign', () => {
    expect(axisText(-100)).toBe('100')
    expect(axisText(12_500)).toBe('12.5K')
    expect(axisText(0.005)).toBe('0.005')
  })

  it('moves by day, week and to the ends', () => {
    expect(movedIndex('ArrowRight', 29, 30)).toBe(29)
    expect(movedIndex('ArrowLeft', 29, 30)).toBe(28)
    expect(movedIndex('PageUp', 3, 30)).toBe(0)
    expect(movedIndex('PageDown', 3, 30)).toBe(10)
    expect(movedIndex('Home', 3, 30)).toBe(0)
    expect(movedIndex('End', 3, 30)).toBe(29)
    expect(movedIndex('Tab', 3, 30)).toBeNull()
  })
})
