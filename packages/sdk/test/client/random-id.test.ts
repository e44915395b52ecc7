import { afterEach, expect, test, vi } from 'vitest'
import { randomId } from '../../src/base/random-id.ts'
import { Purser } from '../../src/index.ts'

const SIXTEEN_BYTES = /^\d{1,3}(-\d{1,3}){15}$/

afterEach(() => vi.unstubAllGlobals())

/** A page over plain HTTP has random bytes, but no `randomUUID`. */
function leaveSecureContext(): void {
  const { getRandomValues } = crypto
  vi.stubGlobal('crypto', { getRandomValues: getRandomValues.bind(crypto) })
}

test('a random id needs no secure context', () => {
  expect(randomId()).toMatch(/^[\da-f-]{36}$/)
  leaveSecureContext()
  const ids = Array.from({ length: 200 }, randomId)
  for (const id of ids) expect(id).toMatch(SIXTEEN_BYTES)
  expect(new Set(ids).size).toBe(ids.length)
})

test('a change sent from a page over plain HTTP has an Idempotency-Key', async () => {
  leaveSecureContext()
  const keys: (string | null)[] = []
  const fetch = async (_: unknown, init: RequestInit = {}) => {
    keys.push(new Headers(init.headers).get('idempotency-key'))
    return Response.json({ id: 'a' })
  }
  const own = fetch as typeof globalThis.fetch
  const purser = new Purser({ apiKey: 'psk_test_0123456789', fetch: own })
  await purser.agents.create({ name: 'Buyer' })
  expect(keys).toEqual([expect.stringMatching(SIXTEEN_BYTES)])
})
