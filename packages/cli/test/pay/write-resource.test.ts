import type { X402Resource } from '@purser/sdk'
import { afterEach, expect, test, vi } from 'vitest'
import { writeResource } from '../../src/pay/outcome.ts'

const { isTTY } = process.stdout
afterEach(() => {
  process.stdout.isTTY = isTTY
})

function written(body: unknown, bodyEncoding: X402Resource['bodyEncoding'], terminal: boolean) {
  process.stdout.isTTY = terminal
  vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  writeResource({ status: 200, headers: {}, body, bodyEncoding, truncated: false })
  const pieces = write.mock.calls.map(([piece]) => String(piece))
  vi.restoreAllMocks()
  return pieces.join('')
}

const HOSTILE = 'a\u001b[2J\u009b1A\tb'
const BINARY = Buffer.from(HOSTILE).toString('base64')

test('a terminal gets no control characters of a vendor', () => {
  expect(written(HOSTILE, 'utf8', true)).toBe('a?[2J?1A\tb\n')
  expect(written(BINARY, 'base64', true)).toBe(`${BINARY}\n`)
  expect(written({ text: HOSTILE }, 'json', true)).toBe('{"text":"a\\u001b[2J\\u009b1A\\tb"}\n')
})

test('a pipe gets the body as it came', () => {
  expect(written(HOSTILE, 'utf8', false)).toBe(`${HOSTILE}\n`)
  expect(written(BINARY, 'base64', false)).toBe(HOSTILE)
  expect(JSON.parse(written({ text: HOSTILE }, 'json', false))).toEqual({ text: HOSTILE })
})
