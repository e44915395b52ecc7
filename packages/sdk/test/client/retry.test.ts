import { afterEach, describe, expect, test, vi } from 'vitest'
import { PurserError } from '../../src/client/errors.ts'
import { mayPass, pause, readRetryAfter, waitBefore } from '../../src/client/retry.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const errorOf = (status: number | null, code = 'any', retryAfterSeconds: number | null = null) =>
  new PurserError('No.', { code, status, retryAfterSeconds })

describe('a retry', () => {
  test.each([
    [null, 'network_error', true],
    [null, 'attempt_timeout', true],
    [null, 'timeout', false],
    [null, 'aborted', false],
    [408, 'http_408', true],
    [409, 'idempotency_in_flight', true],
    [409, 'mandate_state', false],
    [429, 'rate_limited', true],
    [429, 'plan_limit_exceeded', false],
    [500, 'internal_error', true],
    [503, 'overloaded', true],
    [307, 'redirect_refused', false],
    [200, 'invalid_response', false],
    [400, 'validation_failed', false],
    [401, 'invalid_api_key', false],
    [404, 'agent_not_found', false],
  ])('after %s %s: %s', (status, code, isWorthIt) => {
    expect(mayPass(errorOf(status, code))).toBe(isWorthIt)
  })

  test.each([
    [1, 250, 500],
    [2, 500, 1_000],
    [3, 1_000, 2_000],
    [5, 4_000, 8_000],
    [50, 4_000, 8_000],
    [5_000, 4_000, 8_000],
  ])('number %i waits from %i to %i ms', (retry, least, most) => {
    const random = vi.spyOn(Math, 'random')
    random.mockReturnValue(0)
    expect(waitBefore(retry, errorOf(503))).toBe(least)
    random.mockReturnValue(1 - 2 ** -53)
    const wait = waitBefore(retry, errorOf(503))
    expect(wait).toBeGreaterThan(most * 0.99)
    expect(wait).toBeLessThanOrEqual(most)
  })

  test('waits at least as long as the gateway demands', () => {
    expect(waitBefore(1, errorOf(429, 'rate_limited', 7))).toBe(7_000)
    expect(waitBefore(1, errorOf(429, 'rate_limited', 0))).toBeGreaterThanOrEqual(250)
    expect(waitBefore(1, errorOf(400, 'validation_failed', 7))).toBe(Number.POSITIVE_INFINITY)
  })
})

describe('Retry-After', () => {
  test.each([
    [null, null],
    ['0', 0],
    ['120', 120],
    [' 3 ', 3],
    ['soon', null],
    ['', null],
  ])('%j is %j seconds', (header, seconds) => {
    expect(readRetryAfter(header)).toBe(seconds)
  })

  test('can be a date', () => {
    vi.useFakeTimers({ now: Date.parse('2026-11-17T10:00:00Z'), toFake: ['Date'] })
    expect(readRetryAfter('Tue, 17 Nov 2026 10:01:30 GMT')).toBe(90)
    expect(readRetryAfter('Tue, 17 Nov 2026 09:00:00 GMT')).toBe(0)
  })
})

describe('a pause', () => {
  test('sets no timer that is longer than a timer can count, as it would end at once', async () => {
    const timer = vi.spyOn(globalThis, 'setTimeout')
    await pause(2 ** 32, AbortSignal.abort())
    expect(timer.mock.calls.map(([, ms]) => ms)).toEqual([2 ** 31 - 1])
  })

  test('ends with its signal, also one that was aborted before', async () => {
    await pause(60_000, AbortSignal.abort())
  })
})
