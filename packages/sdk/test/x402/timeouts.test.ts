import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Purser } from '../../src/index.ts'
import { TOOLS } from '../../src/tools/index.ts'
import { caught } from '../caught.ts'

const URL = 'https://api.example.com/data'
const payX402 = TOOLS.find(({ name }) => name === 'pay_x402')
const NOT_NEEDED = {
  status: 'no_payment_required',
  anomalies: [],
  resource: { status: 200, headers: {}, body: 'goods', bodyEncoding: 'utf8', truncated: false },
}

/** A client of a gateway that answers after this time. */
function slowGateway(answersAfterMs: number) {
  let onCalled = () => {}
  const called = new Promise<void>((resolve) => {
    onCalled = resolve
  })
  let attempts = 0
  const fetch: typeof globalThis.fetch = (_input, init) => {
    attempts += 1
    onCalled()
    return new Promise((resolve, reject) => {
      setTimeout(() => resolve(Response.json(NOT_NEEDED)), answersAfterMs)
      init?.signal?.addEventListener('abort', () => reject(new Error('aborted')))
    })
  }
  const purser = new Purser({ apiKey: 'psk_test', fetch })
  return { purser, called, attempts: () => attempts }
}

describe('the time of an x402 payment', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  test.each([1, 30_000, 40_000, 50_000])('is at most a timeoutMs of %i', async (timeoutMs) => {
    const { purser, called } = slowGateway(1e9)
    const options = { maxAmount: 1, timeoutMs, retries: 0 }
    let error: unknown
    const ended = caught(purser.x402.fetch(URL, {}, options)).then((it) => {
      error = it
    })
    await Promise.race([called, ended])
    await vi.advanceTimersByTimeAsync(timeoutMs - 1)
    expect(error).toBeUndefined()
    await vi.advanceTimersByTimeAsync(1)
    await ended
    expect(error).toMatchObject({ code: 'timeout', outcomeUnknown: true })
  })

  test.each([0, -5, Number.NaN, '30000'])('refuses a timeoutMs of %s', async (timeoutMs) => {
    const { purser, attempts } = slowGateway(0)
    const options = { maxAmount: 1, timeoutMs: timeoutMs as number }
    expect(await caught(purser.x402.fetch(URL, {}, options))).toMatchObject({
      code: 'invalid_option',
    })
    expect(attempts()).toBe(0)
  })

  test.each<[string, (purser: Purser) => Promise<unknown>]>([
    ['x402.fetch', (purser) => purser.x402.fetch(URL, {}, { maxAmount: 1 })],
    ['x402.pay', async (purser) => purser.x402.pay({ url: URL, mode: 'fetch', maxAmount: 1 })],
    [
      'pay_x402',
      async (purser) => payX402?.run(purser, { purchaseId: 'a', url: URL, maxAmount: 1 }),
    ],
  ])('includes both calls to the vendor in %s', async (_name, pay) => {
    const { purser, called, attempts } = slowGateway(45_000)
    const paid = pay(purser)
    await called
    await vi.advanceTimersByTimeAsync(45_000)
    expect(attempts()).toBe(1)
    expect(await paid).toMatchObject({ status: expect.anything() })
  })
})
