import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { applyMutation, mutationsOf } from '../mutate/mutations.ts'
import { nearestTests } from '../mutate/nearest-tests.ts'

const ROOT = resolve(import.meta.dirname, '../..')

function mutantsOf(text: string): string[] {
  return mutationsOf('sample.ts', text).map((mutation) => applyMutation(text, mutation))
}

describe('mutations', () => {
  test.each([
    ['f(a > b)', ['f(a >= b)']],
    ['f(a <= b)', ['f(a < b)']],
    ['f(a === b)', ['f(a !== b)']],
    ['f(a + b)', ['f(a - b)']],
    ['f(a && b)', ['f(a || b)']],
    ['sum += a', ['sum -= a']],
    ['f(Math.max(a, b))', ['f(Math.min(a, b))']],
    ['f(false)', ['f(true)']],
    ['f(list.filter(isNew).map(g))', ['f(list.map(g))']],
  ])('of %s', (text, expected) => {
    expect(mutantsOf(text)).toEqual(expected)
  })

  test('replace whole conditions, which also removes early returns', () => {
    expect(mutantsOf('if (isLate) g()')).toEqual(['if (true) g()', 'if (false) g()'])
    expect(mutantsOf('f(a === 0n ? b : c)')).toEqual(['f(true ? b : c)', 'f(false ? b : c)'])
  })

  test('leave texts and types alone', () => {
    expect(mutantsOf("f('a' + b)")).toEqual([])
    expect(mutantsOf('type Flag = true | false')).toEqual([])
  })

  test('have the line of their change', () => {
    expect(mutationsOf('sample.ts', 'f()\nf(a > b)')).toMatchObject([{ line: 2, before: '>' }])
  })
})

test('the nearest tests of a source mirror it or import it, and are quick', () => {
  const near = nearestTests(ROOT, 'packages/server/src/core/counters/counter.ts')
  expect(near).toContain('packages/server/test/core/counters/counter.test.ts')
  expect(near.filter((file) => file.endsWith('.deep.test.ts'))).toEqual([])
  const unmirrored = nearestTests(ROOT, 'packages/server/src/core/counters/buckets.ts')
  expect(unmirrored).toContain('packages/server/test/core/counters/counter.test.ts')
})
