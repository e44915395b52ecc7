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
  const { isLost } = createTakeovers(() => false)
  expect(isLost('a')).toBe(false)
  vi.advanceTimersByTime(2_999)
  expect(isLost('a')).toBe(false)
  vi.advanceTimersByTime(1)
  expect(isLost('a')).toBe(true)
  expect(isLost('a')).toBe(true)
})

test('an attempt that is under way in this process is not lost', () => {
  const underWay = new Set(['a'])
  const { isLost } = createTakeovers((id) => underWay.has(id))
  isLost('a')
  vi.advanceTimersByTime(3_000)
  expect(isLost('a')).toBe(false)
  underWay.delete('a')
  expect(isLost('a')).toBe(false)
  vi.advanceTimersByTime(3_000)
  expect(isLost('a')).toBe(true)
})

test('each attempt has its own three seconds', () => {
  const { isLost } = createTakeovers(() => false)
  isLost('a')
  vi.advanceTimersByTime(3_000)
  expect([isLost('a'), isLost('b')]).toEqual([true, false])
})

test('an attempt is forgotten after a minute, so that the memory is bounded', () => {
  const { isLost } = createTakeovers(() => false)
  isLost('a')
  vi.advanceTimersByTime(60_000)
  expect(isLost('b')).toBe(false)
  expect(isLost('a')).toBe(false)
})
