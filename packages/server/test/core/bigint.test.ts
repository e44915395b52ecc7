import fc from 'fast-check'
import { expect, test } from 'vitest'
import { larger, smaller } from '../../src/core/bigint.ts'

test('the larger and the smaller of two numbers are the two numbers, in order', () => {
  fc.assert(
    fc.property(fc.bigInt(), fc.bigInt(), (a, b) => {
      const [low, high] = [a, b].sort((x, y) => (x < y ? -1 : Number(x > y)))
      expect([smaller(a, b), larger(a, b)]).toEqual([low, high])
    }),
  )
})
