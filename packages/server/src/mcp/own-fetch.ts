import type { IncomingMessage, ServerResponse } from 'node:http'
import type { DispatchFunc, Response as Injected } from 'light-my-request'
import type { App } from '../http/app.ts'

/** The address that the client of the tools calls. No socket is opened for it. */
export const OWN_URL = 'http://127.0.0.1'

interface OwnFetchParts {
  readonly app: Pick<App, 'routing'>
  /** The address of the client that the gateway acts for. */
  readonly remoteAddress: string
  /** Called with each request before it is routed. */
  onRequest(raw: IncomingMessage): void
}

/** Statuses whose answers have no body. */
const EMPTY = new Set([204, 205, 304])

/**
 * A `fetch` whose requests go to the router of this process, without a socket. They pass the same
 * hooks and handlers as requests from outside.
 */
export function createOwnFetch({ app, remoteAddress, onRequest }: OwnFetchParts) {
  return async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const { pathname, search } = new URL(String(input))
    const { inject } = await import('light-my-request')
    const { signal } = init
    signal?.throwIfAborted()
    const sent = {
      method: (init.method ?? 'GET') as 'GET',
      url: OWN_URL + pathname + search,
      headers: Object.fromEntries(new Headers(init.headers)),
      remoteAddress,
      ...(init.body && { payload: String(init.body) }),
    }
    const answer = await new Promise<Injected>((resolve, reject) => {
      const dispatch = (raw: IncomingMessage, response: ServerResponse) => {
        signal?.addEventListener('abort', () => {
          hangUp(raw)
          reject(signal.reason)
        })
        onRequest(raw)
        app.routing(raw, response)
      }
      inject(dispatch as unknown as DispatchFunc, sent, (error, injected) =>
        injected ? resolve(injected) : reject(error),
      )
    })
    const headers = Object.entries(answer.headers).flatMap(([name, value]) =>
      [value ?? []].flat().map((one): [string, string] => [name, String(one)]),
    )
    const { statusCode: status } = answer
    return new Response(EMPTY.has(status) ? null : answer.payload, { status, headers })
  }
}

/** Ends waits as a closed connection does. A decision that was begun is made nevertheless. */
function hangUp({ socket }: IncomingMessage): void {
  Object.assign(socket, { destroyed: true }).emit('close')
}
