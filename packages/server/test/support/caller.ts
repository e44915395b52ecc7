import { Agent, request } from 'node:http'

export interface CallAnswer {
  readonly status: number
  readonly text: string
  readonly isReplay: boolean
  readonly retryAfter: string | undefined
}

export interface Call {
  /** The default is POST. */
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body?: unknown
  readonly key?: string
}

/** Calls gateway processes over real connections, which stay open. */
export interface Caller {
  /** Rejects if the connection breaks before the whole answer has arrived. */
  send(gatewayUrl: string, call: Call): Promise<CallAnswer>
  post(gatewayUrl: string, call: Omit<Call, 'method'>): Promise<CallAnswer>
  close(): void
}

export function createCaller(apiKey: string): Caller {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 })
  const send: Caller['send'] = (gatewayUrl, { method = 'POST', path, body, key }) =>
    new Promise((resolve, reject) => {
      const text = body === undefined ? '' : JSON.stringify(body)
      const call = request(`${gatewayUrl}/api/v1${path}`, {
        agent,
        method,
        headers: {
          authorization: `Bearer ${apiKey}`,
          'content-length': Buffer.byteLength(text),
          ...(text !== '' && { 'content-type': 'application/json' }),
          ...(key !== undefined && { 'idempotency-key': key }),
        },
      })
      call.once('error', reject)
      call.once('response', (response) => {
        let received = ''
        response.setEncoding('utf8').on('data', (part: string) => {
          received += part
        })
        response.once('error', reject)
        response.once('close', () => {
          if (!response.complete) return reject(new Error('The answer was cut off.'))
          resolve({
            status: response.statusCode ?? 0,
            text: received,
            isReplay: response.headers['idempotent-replayed'] === 'true',
            retryAfter: response.headers['retry-after'],
          })
        })
      })
      call.end(text)
    })
  return {
    send,
    post: send,
    close: () => agent.destroy(),
  }
}
