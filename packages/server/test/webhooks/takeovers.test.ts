import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createTakeovers } from '../../src/webhooks/takeovers.ts'

/* `isLost` is asked only for attempts whose lease has expired. */

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('an attempt counts as lost three seconds after its expired lease was first read', () => {
  const { isLost } = createTakeovers()
  expect(isLost('a')).toBe(false)
  vi.advanceTimersByTime(2_999)
  expect(isLost('a')).toBe(false)
  vi.advanceTimersByTime(1)
  expect(isLost('a')).toBe(true)
  expect(isLost('a')).toBe(true)
})

test('each attempt has its own three seconds', () => {
  const { isLost } = createTakeovers()
  isLost('a')
  vi.advanceTimersByTime(3_000)
  expect([isLost('a'), isLost('b')]).toEqual([true, false])
})

test('an attempt that was not read for a minute is forgotten, so that the memory is bounded', () => {
  const { isLost } = createTakeovers()
  isLost('a')
  vi.advanceTimersByTime(60_000)
  expect(isLost('b')).toBe(false)
  expect(isLost('a')).toBe(false)
})
