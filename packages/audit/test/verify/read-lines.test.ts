import { Readable } from 'node:stream'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LINE_BYTES_MAX, readLines } from '../../src/node/read-lines.ts'
import type { TextLine } from '../../src/verify/receipts.ts'

async function linesOf(pieces: Iterable<Buffer>): Promise<TextLine[]> {
  const lines: TextLine[] = []
  for await (const batch of readLines(Readable.from(pieces))) lines.push(...batch)
  return lines
}

test('gives the same lines in whatever pieces the file comes', async () => {
  const text = fc.array(fc.string({ unit: fc.constantFrom('a', 'ü', '😀', '\n') }))
  await fc.assert(
    fc.asyncProperty(text, fc.integer({ min: 1, max: 9 }), async (parts, size) => {
      const bytes = Buffer.from(parts.join('\n'))
      const pieces: Buffer[] = []
      for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.subarray(at, at + size))
      const expected = bytes.toString().split('\n')
      // What follows the last line break is a line only if there is something.
      if (expected.at(-1) === '') expected.pop()
      const lines = await linesOf(pieces)
      expect(lines.map(({ text: line }) => line)).toEqual(expected)
      expect(lines.map(({ number }) => number)).toEqual(expected.map((_, index) => index + 1))
    }),
  )
})

test('gives no text of a line that is no UTF-8', async () => {
  expect(await linesOf([Buffer.from('good\n'), Buffer.of(0xc3, 0x28, 0x0a)])).toEqual([
    { number: 1, text: 'good' },
    { number: 2, text: undefined },
  ])
})

test('ends at a line that is too long, without reading the rest', async () => {
  let pieces = 0
  function* endless(): Generator<Buffer> {
    yield Buffer.from('good\n')
    for (;;) {
      pieces += 1
      yield Buffer.alloc(65_536, 'a')
    }
  }
  expect(await linesOf(endless())).toEqual([
    { number: 1, text: 'good' },
    { number: 2, text: undefined },
  ])
  expect(pieces * 65_536).toBeLessThan(LINE_BYTES_MAX * 2)
})
