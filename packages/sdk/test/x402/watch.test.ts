import { describe, expect, test } from 'vitest'
import { paymentRequired } from '../../../server/test/support/x402/payment-required.ts'
import { fromHeader, toHeader } from '../../../server/test/support/x402/wire.ts'
import { watchOffers } from '../../src/x402/watch.ts'

const OFFER = paymentRequired({
  amount: '10000',
  payTo: '0x00000000000000000000000000000000000c0ffe',
  resource: 'https://allowed.example/ü',
})
const HERE = 'https://vendor.example/data?q=1'

/** A response as the network gives it, which has an address. */
function from(url: string, body: string, headers: Record<string, string> = {}): Response {
  const response = new Response(body, { status: 402, headers })
  return Object.defineProperty(response, 'url', { value: url })
}

const v2From = (url: string, document: object = OFFER.v2) =>
  from(url, '{}', { 'payment-required': toHeader(document) })

async function watched(response: Response) {
  const watch = watchOffers(async () => response)
  const seen = await watch.fetch(new Request(HERE, { method: 'POST' }))
  return { watch, seen }
}

const documentOf = (response: Response) =>
  fromHeader<Record<string, unknown>>(response.headers.get('payment-required') ?? '')

describe('a watched fetch', () => {
  test('remembers the address of a 402, and the 402 unchanged', async () => {
    const { watch, seen } = await watched(v2From(HERE))
    expect(seen.status).toBe(402)
    expect(seen.url).toBe(HERE)
    expect(await seen.text()).toBe('{}')
    const document = documentOf(seen)
    expect(document).toMatchObject(OFFER.v2)
    expect(watch.find(document)).toMatchObject({
      url: HERE,
      method: 'POST',
      paymentRequired: toHeader(OFFER.v2),
      accepts: OFFER.v2.accepts,
    })
    expect(watch.find(OFFER.v2)).toBeUndefined()
  })

  test('finds a 402 of version 1 by its body', async () => {
    const text = JSON.stringify(OFFER.v1)
    const { watch, seen } = await watched(from(HERE, text, { 'content-length': '1' }))
    expect(seen.headers.has('content-length')).toBe(false)
    const document: object = JSON.parse(await seen.text())
    expect(watch.find(document)).toMatchObject({ url: HERE, paymentRequired: text })
  })

  test('replaces a mark that the vendor invented or copied', async () => {
    const allowed = 'https://allowed.example/data'
    const other = watchOffers(async () => v2From(allowed))
    const copied = documentOf(await other.fetch(allowed))
    let next = v2From(allowed)
    const watch = watchOffers(async () => next)
    const honest = documentOf(await watch.fetch(allowed))
    next = v2From(HERE, { ...OFFER.v2, purserSeen: honest['purserSeen'] })
    const forged = documentOf(await watch.fetch(HERE))
    expect(watch.find(forged)?.url).toBe(HERE)
    expect(watch.find(honest)?.url).toBe(allowed)
    expect(watch.find(copied)).toBeUndefined()
  })

  test('does not remember a 402 without an address, or one that is no offer', async () => {
    const without = await watched(v2From(''))
    expect(documentOf(without.seen)).not.toHaveProperty('purserSeen')
    for (const [body, headers] of [
      ['plain text', {}],
      ['', {}],
      [JSON.stringify({ x402Version: 1 }), {}],
      [JSON.stringify([1]), {}],
      ['{}', { 'payment-required': '***' }],
      [JSON.stringify({ ...OFFER.v1, error: 'x'.repeat(65_536) }), {}],
    ] as const) {
      const { seen } = await watched(from(HERE, body, headers))
      expect(await seen.text()).toBe(body)
      expect(Object.fromEntries(seen.headers)).toMatchObject(headers)
    }
  })

  test('refuses a 402 after a redirect to a different origin', async () => {
    const elsewhere = 'https://allowed.example/data'
    for (const input of [HERE, new URL(HERE), new Request(HERE)]) {
      const watch = watchOffers(async () => v2From(elsewhere))
      await expect(watch.fetch(input)).rejects.toMatchObject({
        code: 'x402_redirected',
        message: expect.stringMatching(/^https:\/\/vendor.example .* https:\/\/allowed.example\b/),
      })
    }
  })

  test('remembers a 402 after a redirect within the origin', async () => {
    const { watch, seen } = await watched(v2From('https://vendor.example/other'))
    expect(watch.find(documentOf(seen))?.url).toBe('https://vendor.example/other')
  })

  test('passes a 402 that is no offer through, also after a redirect', async () => {
    const { seen } = await watched(from('https://allowed.example/', 'Pay the invoice.'))
    expect(await seen.text()).toBe('Pay the invoice.')
  })

  test('passes other responses through', async () => {
    const response = new Response('goods')
    expect((await watched(response)).seen).toBe(response)
  })

  test('forgets the oldest of a thousand', async () => {
    const watch = watchOffers(async () => v2From(HERE))
    const documents: object[] = []
    for (let n = 0; n < 1_001; n += 1) documents.push(documentOf(await watch.fetch(HERE)))
    const found = documents.map((it) => watch.find(it) !== undefined)
    expect(found).toEqual(documents.map((_, n) => n > 0))
  })
})
