import { describe, expect, test } from 'vitest'
import { Purser, PurserError } from '../../src/index.ts'
import { caught } from '../caught.ts'

describe('x402.fetch refuses, before anything is sent,', () => {
  const sent: unknown[] = []
  const purser = new Purser({
    apiKey: 'psk_test',
    fetch: (...request) => {
      sent.push(request)
      return Promise.reject(new Error('A request was sent.'))
    },
  })
  const url = 'https://api.example.com/data'

  async function refusalOf(
    init: object | undefined,
    input: string | Request = url,
    options: object = { maxAmount: 0.05 },
  ): Promise<string> {
    const error = await caught(purser.x402.fetch(input, init, options as never))
    expect(PurserError.is(error)).toBe(true)
    expect(error).toMatchObject({ code: 'invalid_option', outcomeUnknown: false })
    expect(sent).toEqual([])
    expect((error as Error).message).toMatch(/Nothing was sent or paid\.$/)
    return (error as Error).message
  }

  test('a call without a usable maxAmount', async () => {
    for (const maxAmount of [undefined, null, 0, -1, Number.NaN, '0.05']) {
      expect(await refusalOf({}, url, { maxAmount })).toMatch('`maxAmount` is required')
    }
    // @ts-expect-error: the types require it too.
    expect(await caught(purser.x402.fetch(url, {}, {}))).toMatchObject({ code: 'invalid_option' })
    const withoutOptions = purser.x402.fetch as (url: string) => Promise<Response>
    expect(await caught(withoutOptions(url))).toMatchObject({ code: 'invalid_option' })
  })

  test('a body that can be read only once', async () => {
    const stream = new Blob(['text']).stream()
    expect(await refusalOf({ method: 'POST', body: stream })).toMatch(
      /stream can be read only once/,
    )
    const lines = (async function* () {
      yield new Uint8Array(1)
    })()
    expect(await refusalOf({ method: 'POST', body: lines })).toMatch('stream')
    const request = new Request(url, { method: 'POST', body: 'text' })
    expect(await refusalOf(undefined, request)).toMatch(/Request can be read only once/)
    expect(request.bodyUsed).toBe(false)
  })

  test('a body that would not be the same in a retry, or has no known form', async () => {
    const form = new FormData()
    form.set('q', 'tides')
    expect(await refusalOf({ method: 'POST', body: form })).toMatch('encoded differently')
    expect(await refusalOf({ method: 'POST', body: { q: 1 } })).toMatch('JSON.stringify')
  })

  test('a header that the gateway would drop', async () => {
    for (const name of ['Authorization', 'cookie', 'X-Forwarded-For', 'PAYMENT-SIGNATURE']) {
      const message = await refusalOf({ headers: { [name]: 'secret' } })
      expect(message).toMatch(`\`${name.toLowerCase()}\``)
      expect(message).not.toMatch('secret')
    }
    const request = new Request(url, { headers: { authorization: 'Bearer secret' } })
    expect(await refusalOf(undefined, request)).toMatch('`authorization`')
    expect(await refusalOf({ headers: { 'x-name': 'é' } })).toMatch('ASCII')
  })

  test('a call that the caller has aborted', async () => {
    const signal = AbortSignal.abort()
    const inInit = purser.x402.fetch(url, { signal }, { maxAmount: 0.05 })
    expect(await caught(inInit)).toMatchObject({ code: 'aborted' })
    const inOptions = purser.x402.fetch(url, {}, { maxAmount: 0.05, signal })
    expect(await caught(inOptions)).toMatchObject({ code: 'aborted' })
    expect(sent).toEqual([])
  })

  test('a URL that is not absolute', async () => {
    expect(await refusalOf({}, '/data')).toMatch('absolute')
  })
})
