import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'

interface CallOptions {
  /** The local address of the connection. */
  readonly from?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends requests through a proxy, each on a connection of its own. */
export interface Call {
  (
    method: string,
    path: string,
    body?: object,
    options?: CallOptions,
  ): Promise<{ readonly status: number; readonly text: string }>
  /** Resolves with the head of the answer. */
  open(path: string): Promise<{ readonly status: number; text(): string; close(): void }>
}

export function createCall(url: string, apiKey: string): Call {
  const send = url.startsWith('https') ? requestHttps : requestHttp
  const usual = { agent: false, rejectUnauthorized: false } as const
  return Object.assign(
    (method: string, path: string, body?: object, { from, headers }: CallOptions = {}) =>
      new Promise<{ status: number; text: string }>((resolve, reject) => {
        const text = body === undefined ? '' : JSON.stringify(body)
        const request = send(`${url}${path}`, {
          ...{ ...usual, method, ...(from !== undefined && { localAddress: from }) },
          headers: {
            ...(path.startsWith('/api/') && { authorization: `Bearer ${apiKey}` }),
            ...(path.startsWith('/console/') && { 'sec-fetch-site': 'same-origin' }),
            ...(text !== '' && { 'content-type': 'application/json' }),
            'content-length': String(Buffer.byteLength(text)),
            ...headers,
          },
        })
        request.once('error', reject)
        request.once('response', (response) => {
          let received = ''
          response.setEncoding('utf8').on('data', (part: string) => {
            received += part
          })
          response.once('error', reject)
          response.once('end', () => resolve({ status: response.statusCode ?? 0, text: received }))
        })
        request.end(text)
      }),
    {
      open: (path: string) =>
        new Promise<{ status: number; text(): string; close(): void }>((resolve, reject) => {
          const headers = { authorization: `Bearer ${apiKey}`, accept: 'text/event-stream' }
          const request = send(`${url}${path}`, { ...usual, headers })
          request.once('error', reject)
          request.once('response', (response) => {
            let received = ''
            response.setEncoding('utf8').on('data', (part: string) => {
              received += part
            })
            response.on('error', () => {})
            const status = response.statusCode ?? 0
            resolve({ status, text: () => received, close: () => request.destroy() })
          })
          request.end()
        }),
    },
  )
}
