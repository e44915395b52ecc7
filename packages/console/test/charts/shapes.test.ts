import { describe, expect, it } from 'vitest'
import { binKind, binsOf } from '../../src/charts/bins.ts'
import { meterShape } from '../../src/charts/meter-shape.ts'
import { sparkPoints } from '../../src/charts/spark-points.ts'
import { compareCells, toTsv } from '../../src/charts/table-text.ts'

describe('meter', () => {
  it('adds what is held to what is spent', () => {
    expect(meterShape({ spent: '305.00', held: '15.00', total: '500.00' })).toMatchObject({
      percent: 64,
      tone: 'spent',
      forecast: null,
    })
  })

  it('warns from 80 % and is full only at 100 %', () => {
    expect(meterShape({ spent: 80, held: 0, total: 100 }).tone).toBe('ask')
    expect(meterShape({ spent: '99.999', held: 0, total: 100 })).toMatchObject({
      percent: 99,
      tone: 'ask',
    })
    expect(meterShape({ spent: 60, held: 40, total: 100 })).toMatchObject({
      percent: 100,
      tone: 'no',
    })
  })

  it('lets a forecast leave the track, but not the drawing', () => {
    expect(meterShape({ spent: 78, held: 8, total: 100, forecastAt: 113 }).forecast).toBeCloseTo(
      1.13,
    )
    expect(meterShape({ spent: 50, held: 0, total: 100, forecastAt: 900 }).forecast).toBe(1.15)
    expect(meterShape({ spent: 50, held: 0, total: 100, forecastAt: 50 }).forecast).toBeNull()
  })

  it('draws nothing without a budget', () => {
    expect(meterShape({ spent: 5, held: 0, total: 0 })).toMatchObject({ spent: 0, percent: 0 })
  })
})

describe('distribution', () => {
  it('counts everything above the end in the last bin', () => {
    const bins = binsOf([0, 9.99, 10, 299, 1000], 300, 30)
    expect(bins[0]?.count).toBe(2)
    expect(bins[1]?.count).toBe(1)
    expect(bins[29]?.count).toBe(2)
  })

  it('tells what a higher limit newly allows, and what a lower one cuts', () => {
    const bin = { from: 260, to: 270, count: 1 }
    expect(binKind(bin, 300, 250)).toBe('newly')
    expect(binKind(bin, 250, 300)).toBe('beyond')
    expect(binKind(bin, null, null)).toBe('within')
  })
})

describe('sparkline', () => {
  it('lies low when nothing changes or nothing is there', () => {
    expect(sparkPoints([], 104, 34)).toEqual([
      [2, 30],
      [99, 30],
    ])
    expect(sparkPoints([5, 5], 104, 34).map(([, y]) => y)).toEqual([30, 30])
    expect(sparkPoints([1, 3], 104, 34).map(([, y]) => y)).toEqual([30, 4])
  })
})

describe('table text', () => {
  it('keeps cells apart', () => {
    expect(
      toTsv([
        ['Day', 'Spent'],
        ['Fri\t13', '188.00\n'],
      ]),
    ).toBe('Day\tSpent\nFri 13\t188.00')
  })

  it('sorts numbers as numbers', () => {
    expect([10, 9, 100].toSorted(compareCells)).toEqual([9, 10, 100])
    expect(compareCells('a', 'b')).toBeLessThan(0)
  })
})
