import { Purser } from '@purser/sdk'
import { createMcpHandler } from './mcp-libraries.ts'
import { createServer } from './server.ts'
import type { Session } from './session.ts'

/** The caller of one request, whose key and origin were checked. */
export interface HttpCaller extends Omit<Session, 'purser'> {
  readonly apiKey: string
  /** The address of the gateway that the tools call, and the function that sends their requests. */
  readonly baseUrl: string
  readonly fetch: typeof globalThis.fetch
}

/**
 * Answers one MCP request over streamable HTTP. Nothing outlasts the request: each one gets its own
 * server, so any gateway process answers any request. The body was read and parsed before.
 * Subscriptions are refused, because the lists of a key do not change.
 */
export function answerHttp(
  request: Request,
  body: unknown,
  { apiKey, baseUrl, fetch, ...rest }: HttpCaller,
): Promise<Response> {
  const session = { ...rest, purser: new Purser({ apiKey, baseUrl, fetch }) }
  const handler = createMcpHandler(() => createServer(session), { maxSubscriptions: 0 })
  return handler.fetch(request, { parsedBody: body })
}
