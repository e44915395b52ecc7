import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { type CallOptions, Purser } from '../../src/index.ts'

const KEY = 'psk_test_0123456789'

type Sent = { readonly url: string; readonly init: RequestInit }

/** A client whose requests the test answers. */
function clientOf(answer: (sent: Sent) => Response | Promise<Response>) {
  const sent: Sent[] = []
  const fetch = async (url: unknown, init: RequestInit = {}) => {
    sent.push({ url: String(url), init })
    return answer({ url: String(url), init })
  }
  const baseUrl = 'https://gateway.example/api/v1'
  return {
    sent,
    purser: new Purser({ apiKey: KEY, baseUrl, fetch: fetch as typeof globalThis.fetch }),
  }
}

const fail = (error: unknown) => Promise.reject(error)

describe('a client with a fetch of its own', () => {
  test('calls it without an owner, as the fetch of a browser demands', async () => {
    const owners: unknown[] = []
    async function fetch(this: unknown) {
      owners.push(this)
      return Response.json({ name: 'Acme' })
    }
    await new Purser({ apiKey: KEY, fetch }).organization.get()
    expect(owners).toEqual([undefined])
  })

  test('sends what the API needs, and follows no redirect', async () => {
    const { sent, purser } = clientOf(() => Response.json({ id: 'a' }))
    await purser.agents.create({ name: 'Buyer' }, { headers: { 'X-Trace': '1' } })
    expect(sent[0]?.url).toBe('https://gateway.example/api/v1/agents')
    expect(sent[0]?.init).toMatchObject({ redirect: 'manual' })
    const headers = new Headers(sent[0]?.init.headers)
    expect(headers.get('authorization')).toBe(`Bearer ${KEY}`)
    expect(headers.get('x-trace')).toBe('1')
    expect(headers.get('idempotency-key')).toMatch(/^[\da-f-]{36}$/)
  })

  test.each(['Idempotency-Key', 'authorization', 'Content-Type'])(
    'refuses a second header %s',
    async (name) => {
      const { sent, purser } = clientOf(() => Response.json({ id: 'a' }))
      const options: CallOptions = { headers: { [name]: 'mine' } }
      const call = purser.agents.create({ name: 'Buyer' }, options)
      await expect(call).rejects.toMatchObject({ code: 'invalid_option', outcomeUnknown: false })
      await expect(call).rejects.toThrow(name)
      expect(sent).toEqual([])
    },
  )

  test('sets no timer that is longer than a timer can count, as it would end at once', async () => {
    const timer = vi.spyOn(globalThis, 'setTimeout')
    onTestFinished(() => timer.mockRestore())
    const { purser } = clientOf(() => Response.json({ name: 'Acme' }))
    await purser.organization.get({ timeoutMs: 2 ** 32, retries: 0 })
    expect(timer.mock.calls.map(([, ms]) => ms)).toEqual([2 ** 31 - 1])
  })

  test.each([
    { runtime: 'Node', cause: { code: 'ECONNREFUSED' } },
    { runtime: 'Deno', cause: { message: 'error sending request: client error (Connect): tcp' } },
  ])('knows that a request never left, by the words of $runtime', async ({ cause }) => {
    const { purser } = clientOf(() => fail(new TypeError('fetch failed', { cause })))
    const call = purser.agents.create({ name: 'Buyer' }, { retries: 0 })
    await expect(call).rejects.toMatchObject({ code: 'network_error', outcomeUnknown: false })
  })

  test('does not know the outcome after any other failure', async () => {
    const cause = { message: 'error sending request: connection closed before message completed' }
    const { purser } = clientOf(() => fail(new TypeError('fetch failed', { cause })))
    const call = purser.agents.create({ name: 'Buyer' }, { retries: 0 })
    await expect(call).rejects.toMatchObject({ code: 'network_error', outcomeUnknown: true })
  })
})
