import { expect, test } from 'vitest'
import { parseUrl } from '../src/base/parse-url.ts'
import { toAudience } from '../src/core/tokens/claims.ts'

/** Enough for V8 to optimize a call. */
const CALLS = 200_000

test('a host with letters beyond ASCII stays valid after many calls', () => {
  const seen = new Set<string | undefined>()
  for (let call = 0; call < CALLS; call++)
    seen.add(toAudience('https://bücher.example', false)?.vendor)
  expect([...seen]).toEqual(['xn--bcher-kva.example'])
})

test('a malformed URL is undefined', () => {
  expect(parseUrl('http://')).toBeUndefined()
  expect(parseUrl('https://example.com/a')?.pathname).toBe('/a')
})
