import { openToolShop, type Shop } from '../../../sdk/test/tools/shop.ts'

export { type Buyer, openToolShop, type Shop } from '../../../sdk/test/tools/shop.ts'

/** Sends one message to `/mcp` as a program without a client library does. */
export async function postMessage(
  { baseUrl }: Pick<Shop, 'baseUrl'>,
  apiKey: string | undefined,
  message: unknown,
  headers: Readonly<Record<string, string>> = {},
  signal: AbortSignal | null = null,
) {
  const response = await fetch(`${baseUrl}/mcp`, {
    method: 'POST',
    signal,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
      ...headers,
    },
    body: typeof message === 'string' ? message : JSON.stringify(message),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: bodyOf(text) }
}

/** The JSON of an answer, which may be the only event of a stream. */
function bodyOf(text: string): Readonly<Record<string, unknown>> {
  const data = /^data: (.*)$/m.exec(text)?.[1] ?? text
  try {
    return JSON.parse(data)
  } catch {
    return {}
  }
}

export function toolCall(name: string, input: object, id = 1) {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: input } }
}

/** A shop whose gateway allows so many requests a minute per key. */
export async function openLimitedShop(requestsPerMinute: number): Promise<Shop> {
  const { createTestApp, TEST_CONFIG } = await import('../../../server/test/support/app.ts')
  const limits = { ...TEST_CONFIG.limits, requestsPerMinute }
  return openToolShop(await createTestApp(undefined, { limits }))
}
