import { expect, test } from 'vitest'
import { comparePairs, type Pair, spreadOf } from '../comparison.ts'

function pairs(figure: Pair['figure'], ratios: readonly number[]): Pair[] {
  return ratios.map((ratio) => ({
    scenario: 'hot',
    figure,
    against: 1_000,
    present: 1_000 * ratio,
  }))
}

test('quartiles lie between the values where they fall between two', () => {
  expect(spreadOf([4, 1, 3, 2])).toEqual({
    min: 1,
    lowerQuartile: 1.75,
    median: 2.5,
    upperQuartile: 3.25,
    max: 4,
  })
})

test('a slow pair on a noisy machine does not move the median', () => {
  const [row] = comparePairs(pairs('requests/s', [1, 0.99, 0.2, 1.01, 1.02]))
  expect(row?.ratio).toMatchObject({ median: 1, min: 0.2 })
})

test.each([
  ['requests/s', 9, 1, 'worse'],
  ['requests/s', 8, 2, 'level'],
  ['requests/s', 2, 8, 'level'],
  ['requests/s', 1, 9, 'better'],
  ['CPU µs per decision', 9, 1, 'better'],
  ['CPU µs per decision', 1, 9, 'worse'],
  ['requests/s', 9, 0, 'too few pairs'],
] as const)('%s below in %i pairs and above in %i is %s', (figure, below, above, verdict) => {
  const ratios = [...Array(below).fill(0.97), ...Array(above).fill(1.03)]
  expect(comparePairs(pairs(figure, ratios))[0]?.verdict).toBe(verdict)
})

test('each scenario and figure has a row of its own, in the order of measuring', () => {
  const measured = [...pairs('requests/s', [1]), ...pairs('CPU µs per decision', [1])]
  const rows = comparePairs([...measured, ...measured])
  expect(rows.map(({ figure, pairs: count }) => [figure, count])).toEqual([
    ['requests/s', 2],
    ['CPU µs per decision', 2],
  ])
})
