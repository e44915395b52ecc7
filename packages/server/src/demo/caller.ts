import { randomUUID } from 'node:crypto'
import type { App } from '../http/app.ts'

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

// biome-ignore lint/suspicious/noExplicitAny: the answers have as many shapes as there are endpoints.
export type Answer = any

/** Sends requests of one caller through the whole app, and returns the body of a success. */
export interface Caller {
  get(path: string): Promise<Answer>
  post(path: string, body?: object): Promise<Answer>
  patch(path: string, body: object): Promise<Answer>
  delete(path: string): Promise<Answer>
}

/** The endpoint that requires an Idempotency-Key. */
const KEYED = '/gateway/acp/checkouts'

/** A program with an API key. */
export function callerWithKey(app: App, apiKey: string): Caller {
  return toCaller(app, { authorization: `Bearer ${apiKey}` })
}

/** The page of a signed-in member. */
export function callerWithSession(app: App, cookie: string): Caller {
  return toCaller(app, { cookie, 'sec-fetch-site': 'same-origin' })
}

/** A visitor. */
export async function enter(app: App, path: string, body: object): Promise<string> {
  const response = await app.inject({ method: 'POST', url: path, payload: body })
  const cookie = response.headers['set-cookie']
  if (response.statusCode !== 200 || cookie === undefined) {
    throw new Error(`POST ${path} answered ${response.statusCode}: ${response.body}`)
  }
  return String(cookie).split(';', 1)[0] ?? ''
}

function toCaller(app: App, headers: Readonly<Record<string, string>>): Caller {
  async function send(method: Method, path: string, body?: object): Promise<Answer> {
    const response = await app.inject({
      method,
      url: path.startsWith('/console/') ? path : `/api/v1${path}`,
      headers: path === KEYED ? { ...headers, 'idempotency-key': randomUUID() } : headers,
      ...(body !== undefined && { payload: body }),
    })
    if (response.statusCode >= 300) {
      throw new Error(`${method} ${path} answered ${response.statusCode}: ${response.body}`)
    }
    return response.body === '' ? undefined : response.json()
  }
  return {
    get: (path) => send('GET', path),
    post: (path, body) => send('POST', path, body),
    patch: (path, body) => send('PATCH', path, body),
    delete: (path) => send('DELETE', path),
  }
}
