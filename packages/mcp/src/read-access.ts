import type { KeyAccess } from './access.ts'
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
} from './mcp-libraries.ts'
import { ACCESS_META } from './server.ts'

/** The first revision of the protocol in which a request needs no session. */
const REVISION = '2026-07-28'
const METHOD = 'tools/list'
const WITHIN_MS = 20_000

export interface Connection {
  readonly baseUrl: string
  readonly apiKey: string
  /** Allows plain HTTP to a different machine. */
  readonly allowHttp?: boolean
  /** Sends the requests. Default: the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch
}

/** Asks `/mcp` of the gateway for the rights of the key. Throws an error that says what to do. */
export async function readAccess(
  { baseUrl, apiKey, fetch = globalThis.fetch }: Connection,
  version: string,
): Promise<KeyAccess> {
  const response = await fetch(`${baseUrl}/mcp`, {
    method: 'POST',
    redirect: 'manual',
    headers: {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': REVISION,
      'mcp-method': METHOD,
    },
    body: JSON.stringify(requestOf(version)),
    signal: AbortSignal.timeout(WITHIN_MS),
  }).catch((error: unknown) => {
    // OpenSSL reports one of these if a server answers a TLS handshake with plain HTTP.
    if (/wrong version number|packet length too long/i.test(reasonOf(error))) {
      throw new Error(`${baseUrl} answers, but not with TLS: use http:// instead of https://.`)
    }
    throw new Error(`No answer from ${baseUrl}: ${reasonOf(error)}. Is the gateway running?`)
  })
  const answer = parse(await response.text())
  const access = accessIn(answer)
  if (access) return access
  throw new Error(
    answer?.detail ??
      `${baseUrl} answered ${response.status}, but not like a Purser gateway. Check its address.`,
  )
}

function requestOf(version: string): object {
  return {
    jsonrpc: '2.0',
    id: 1,
    method: METHOD,
    params: {
      _meta: {
        [PROTOCOL_VERSION_META_KEY]: REVISION,
        [CLIENT_INFO_META_KEY]: { name: 'purser mcp', version },
        [CLIENT_CAPABILITIES_META_KEY]: {},
      },
    },
  }
}

interface Answer {
  /** The sentence of a problem of the gateway. */
  readonly detail?: string
  readonly result?: { readonly _meta?: Readonly<Record<string, unknown>> }
}

function parse(text: string): Answer | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

function accessIn(answer: Answer | undefined): KeyAccess | undefined {
  const found = answer?.result?._meta?.[ACCESS_META]
  if (typeof found !== 'object' || found === null) return undefined
  const { scopes, agentIds } = found as { scopes?: unknown; agentIds?: unknown }
  return isList(scopes) && isList(agentIds) ? { scopes, agentIds } : undefined
}

function isList(value: unknown): value is readonly string[] | null {
  return value === null || (Array.isArray(value) && value.every((it) => typeof it === 'string'))
}

/** The cause of a failed `fetch` says more than its own message. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as Error
  return cause instanceof Error && cause.message !== '' ? cause.message : message
}
