import { inspect } from 'node:util'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { type CallOptions, Purser, type PurserError, ValidationError } from '../../src/index.ts'

const KEY = 'psk_test_0123456789'
const JSON_TYPE = { headers: { 'content-type': 'application/json' } }

/** A client whose requests are answered by these functions, one after the other. */
function clientWith(...answers: ((init: RequestInit) => Response | Promise<Response>)[]) {
  const sent: RequestInit[] = []
  const fetch = async (_: unknown, init: RequestInit = {}) => {
    sent.push(init)
    const next = answers[Math.min(sent.length, answers.length) - 1]
    if (!next) throw new Error('no answer')
    return next(init)
  }
  const purser = new Purser({ apiKey: KEY, fetch: fetch as typeof globalThis.fetch })
  return { purser, sent, keys: () => sent.map(({ headers }) => headerOf(headers)) }
}

function headerOf(headers: RequestInit['headers']): string | null {
  return new Headers(headers).get('idempotency-key')
}

const SPEND = { amount: 1, vendor: 'api.example.com', category: 'llm' }

function failureOf(call: Promise<unknown>): Promise<PurserError> {
  return call.then(
    () => Promise.reject(new Error('The call did not fail.')),
    (error: PurserError) => error,
  )
}

function spend(purser: Purser, options?: CallOptions): Promise<unknown> {
  return purser.gateway.evaluate(SPEND, options)
}

describe('an answer that is no JSON', () => {
  test('keeps the key and the unknown outcome of a POST', async () => {
    const { purser, sent, keys } = clientWith(() => new Response('<html>Welcome</html>'))
    const error = await failureOf(spend(purser))
    expect(error).toMatchObject({ code: 'invalid_response', outcomeUnknown: true })
    expect(error.idempotencyKey).toBe(keys()[0])
    expect(sent).toHaveLength(1)
  })

  test('is repeated with the same key if it is cut off', async () => {
    const { purser, keys } = clientWith(
      () => new Response('{"decision": "appr', JSON_TYPE),
      () => Response.json({ decision: 'approved' }),
    )
    expect(await spend(purser)).toEqual({ decision: 'approved' })
    expect(keys()).toHaveLength(2)
    expect(new Set(keys()).size).toBe(1)
  })
})

test('a loop over a list goes on through empty pages that have a cursor', async () => {
  const page = (ids: readonly string[], nextCursor: string | null) => () =>
    Response.json({
      data: ids.map((id) => ({ id })),
      ...{ total: 2, totalIsExact: false, limit: 50, offset: 0 },
      ...{ hasMore: nextCursor !== null, nextCursor },
    })
  const { purser, sent } = clientWith(
    page([], 'a'),
    page(['1'], 'b'),
    page([], 'c'),
    page(['2'], null),
  )
  const found: unknown[] = []
  for await (const { id } of purser.agents.list({ q: 'rare' })) found.push(id)
  expect(found).toEqual(['1', '2'])
  expect(sent).toHaveLength(4)
})

describe('a signal', () => {
  test('whose reason is an error of this package hides no unknown outcome', async () => {
    const aborting = new AbortController()
    const reason = new ValidationError('Of another call.', { code: 'validation_failed' })
    const { purser, keys } = clientWith(({ signal }) => {
      aborting.abort(reason)
      return Promise.reject(signal?.reason)
    })
    const error = await failureOf(spend(purser, { signal: aborting.signal }))
    expect(error).toMatchObject({ code: 'aborted', outcomeUnknown: true, cause: reason })
    expect(error.idempotencyKey).toBe(keys()[0])
  })

  test('that was aborted before sends nothing', async () => {
    const { purser, sent } = clientWith(() => Response.json({}))
    const error = await failureOf(spend(purser, { signal: AbortSignal.abort() }))
    expect(error).toMatchObject({ code: 'aborted', outcomeUnknown: false })
    expect(sent).toEqual([])
  })
})

describe('a mistake of the caller', () => {
  const mistakes: [string, (purser: Purser) => Promise<unknown>][] = [
    ['a key that is null', (it) => spend(it, { idempotencyKey: null as never })],
    ['an empty key', (it) => spend(it, { idempotencyKey: '' })],
    ['a key that no header can carry', (it) => spend(it, { idempotencyKey: 'order-€' })],
    ['a header that no header can carry', (it) => spend(it, { headers: { 'x-name': 'ü€' } })],
    ['a second authorization', (it) => spend(it, { headers: { Authorization: 'x' } })],
    ['an amount that JSON cannot hold', (it) => it.gateway.evaluate({ amount: 1n } as never)],
    ['an empty id', (it) => it.agents.get('')],
    ['an id that leads elsewhere', (it) => it.mandates.backtest('..', { rules: [] })],
  ]
  test.each(mistakes)('is told before anything is sent: %s', async (_, make) => {
    const { purser, sent } = clientWith(() => Response.json({}))
    const error = await failureOf(make(purser))
    expect(error).toMatchObject({ code: 'invalid_option', outcomeUnknown: false })
    expect(sent).toEqual([])
  })

  test.each([
    ['an option of a call', (it: Purser) => spend(it, { idempotencykey: 'x' } as never)],
    ['an option of a client', () => new Purser({ apikey: KEY } as never)],
    ['a key from a variable that is not set', () => new Purser({ apiKey: undefined })],
    [
      'a time that is a text',
      (it: Purser) => it.approvals.wait('apr_1', { timeoutMs: '2s' as never }),
    ],
    ['no function to run', (it: Purser) => it.spend(SPEND, undefined as never)],
    ['a way to wait', (it: Purser) => it.spend(SPEND, () => {}, { approval: 'Wait' as never })],
  ])('is told: %s', async (_, make) => {
    const { purser, sent } = clientWith(() => Response.json({}))
    const error = await failureOf(Promise.resolve().then(() => make(purser)))
    expect(error).toMatchObject({ code: 'invalid_option' })
    expect(sent).toEqual([])
  })

  test('is not seen in a header that only has the name of a function', async () => {
    const { purser } = clientWith(() => Response.json({ decision: 'approved' }))
    await spend(purser, { headers: { constructor: 'x' } })
  })
})

describe('a failure of the network', () => {
  test('shows no key, also where an error of another library holds the request', async () => {
    const { purser } = clientWith(({ headers }) => {
      throw Object.assign(new Error(`failed with ${KEY}`), { config: { headers } })
    })
    const error = await failureOf(spend(purser, { retries: 0 }))
    expect(inspect(error, { depth: 9 })).not.toContain(KEY)
    expect(error.code).toBe('network_error')
  })

  test('that can also end an open connection leaves the outcome unknown', async () => {
    const cause = Object.assign(new Error('no route'), { code: 'EHOSTUNREACH' })
    const { purser } = clientWith(() => Promise.reject(new TypeError('fetch failed', { cause })))
    const error = await failureOf(spend(purser, { retries: 0 }))
    expect(error).toMatchObject({ outcomeUnknown: true })
    expect(error.message).toContain('http://127.0.0.1:3000 failed. fetch failed: no route')
  })
})

test('only a page gets credentials: a key travels without its cookies', async () => {
  const { purser, sent } = clientWith(() => Response.json({ decision: 'approved' }))
  await spend(purser)
  expect(sent[0]).not.toHaveProperty('credentials')
  vi.stubGlobal('location', new URL('http://127.0.0.1:3000/'))
  onTestFinished(() => void vi.unstubAllGlobals())
  await spend(purser)
  expect(sent[1]).toHaveProperty('credentials', 'omit')
})

test('an answer without a decision is no rejection', async () => {
  const free = { decision: null, status: 'no_payment_required' }
  const { purser } = clientWith(() => Response.json(free))
  const call = purser.x402.pay({ url: 'https://api.example.com/' })
  expect(await call.orThrow()).toEqual(free)
})

test('an export that ends in the middle of a line goes on after the last whole one', async () => {
  const [first, second] = [{ transactionId: 'txn_1' }, { transactionId: 'txn_2' }]
  const type = { headers: { 'content-type': 'application/x-ndjson' } }
  const { purser } = clientWith(
    () => new Response(`${JSON.stringify(first)}\n{"transac`, type),
    () => new Response(`${JSON.stringify(second)}\n`, type),
  )
  const found: unknown[] = []
  for await (const row of purser.transactions.export()) found.push(row)
  expect(found).toEqual([first, second])
})
