import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { Problem } from '../base/errors.ts'
import { VERSION } from '../base/version.ts'
import type { App } from '../http/app.ts'
import { authenticateKey, type KeyAuthentication } from '../http/auth/authenticate.ts'
import { isFromOtherOrigin } from '../http/auth/same-origin.ts'
import type { CookieSettings } from '../http/auth/session-cookie.ts'
import { createAtOnce } from '../http/limits/at-once.ts'
import type { CountedOnce } from '../http/limits/counted-once.ts'
import { whenOver } from '../http/limits/when-over.ts'
import { createOwnFetch, OWN_URL } from './own-fetch.ts'

/** A call that waits for a person keeps its slot for up to 50 seconds. */
export const CALLS_MAX = 20

const PATH = '/mcp'

interface McpParts {
  readonly cookies: CookieSettings
  readonly admission: KeyAuthentication
  readonly exempt: CountedOnce['exempt']
}

/**
 * `POST /mcp`: the tools for models, over the Model Context Protocol. A tool calls our own API with
 * the key of the caller. The first request loads the protocol, because most processes get none.
 */
export function mcpRoutes(app: App, { cookies, admission, exempt }: McpParts): void {
  const atOnce = createAtOnce({ most: CALLS_MAX, of: 'MCP requests' })
  // The requests of the tools take slots of their own. If this request took one too, tools could
  // wait for slots that only they can free.
  const parts: KeyAuthentication = {
    ...admission,
    inFlight(request, reply) {
      atOnce.hold(request, reply)
      return undefined
    },
  }

  app.route({
    method: 'POST',
    url: PATH,
    schema: { hide: true, body: Type.Unknown() },
    config: { agentKeys: 'allowed' },
    onRequest: async (request, reply) => {
      if (isFromOtherOrigin(request, cookies)) throw otherOrigin()
      await authenticateKey(request, reply, parts)
    },
    handler: async (request, reply) => {
      refuseBatch(request.body)
      const { answerHttp } = await import('@purser/mcp')
      const { scopes, agentIds } = request.principal
      const caller = {
        apiKey: keyOf(request),
        access: { scopes, agentIds },
        version: VERSION,
        baseUrl: OWN_URL,
        fetch: createOwnFetch({ app, remoteAddress: request.ip, onRequest: exemptFirst(exempt) }),
      }
      return send(reply, await answerHttp(toWebRequest(request, reply), request.body, caller))
    },
  })
}

/** The request to `/mcp` was counted, so the first request of its tool is not counted again. */
function exemptFirst(exempt: McpParts['exempt']): (raw: IncomingMessage) => void {
  let isFirst = true
  return (raw) => {
    if (isFirst) exempt(raw)
    isFirst = false
  }
}

function toWebRequest(request: FastifyRequest, reply: FastifyReply): Request {
  const gone = new AbortController()
  whenOver(request, reply, () => gone.abort())
  const headers = Object.entries(request.headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, one]),
  )
  return new Request(OWN_URL + PATH, { method: 'POST', headers, signal: gone.signal })
}

async function send(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  reply.code(response.status)
  const type = response.headers.get('content-type')
  if (type) reply.header('content-type', type)
  if (!response.body) return reply.send()
  if (!type?.startsWith('text/event-stream')) return reply.send(await response.text())
  // Some proxies collect an answer before they pass it on.
  reply.header('x-accel-buffering', 'no')
  return reply.send(Readable.fromWeb(response.body as ReadableStream))
}

/** The authentication has accepted this header. */
function keyOf({ headers: { authorization = '' } }: FastifyRequest): string {
  return authorization.slice('Bearer '.length)
}

/** A batch would carry many calls as one request. The protocol has none since June 2025. */
function refuseBatch(body: unknown): void {
  if (!Array.isArray(body)) return
  throw new Problem('validation_failed', 'Send one JSON-RPC message per request, not a batch.')
}

function otherOrigin(): Problem {
  return new Problem(
    'origin_not_allowed',
    'Pages of other origins cannot call /mcp from a browser. Call it from a program, which sends neither Origin nor Sec-Fetch-Site.',
  )
}
