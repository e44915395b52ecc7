import { expect, test } from 'vitest'
import { readOn } from '../src/data/read-on.ts'

test('an empty page that has a next one is read through, up to a bound', async () => {
  const pages = [
    { data: [], nextCursor: 'a' },
    { data: [], nextCursor: 'b' },
    { data: [7], nextCursor: 'c' },
  ]
  const asked: (string | undefined)[] = []
  const found = await readOn(async (cursor) => {
    asked.push(cursor)
    return pages[asked.length - 1] ?? { data: [], nextCursor: null }
  }, undefined)
  expect(found).toEqual(pages[2])
  expect(asked).toEqual([undefined, 'a', 'b'])
  let reads = 0
  const none = await readOn(async () => {
    reads += 1
    return { data: [], nextCursor: 'more' }
  }, undefined)
  expect(none.nextCursor).toBe('more')
  expect(reads).toBe(20)
})
