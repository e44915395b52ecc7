import assert from 'node:assert/strict'
import type { OutboundPolicy } from './addresses.ts'
import { createConnections } from './connections.ts'
import type { Refusal } from './destination.ts'
import { exchange, type OutboundAnswer, type OutboundRequest } from './exchange.ts'
import {
  type OutboundFailure,
  toDnsFailure,
  toRefusedFailure,
  toTimeoutFailure,
} from './failures.ts'
import { createVet, type Vetted } from './judge-url.ts'
import { createDnsResolve, type Resolve } from './resolver.ts'

export type { OutboundPolicy } from './addresses.ts'
export type { OutboundAnswer, OutboundRequest } from './exchange.ts'
export type { OutboundFailure } from './failures.ts'

export type OutboundResult = OutboundAnswer | OutboundFailure

export interface OutboundClient {
  /**
   * For use when a URL is saved; undefined means that it may be called. It does not refuse a name
   * that cannot be resolved right now.
   */
  refusalOf(url: string): Promise<Refusal | undefined>
  /** Never throws for anything the other side or the network does. */
  call(request: OutboundRequest): Promise<OutboundResult>
  /** Waits for running calls, which end by their deadlines, and closes all connections. */
  close(): Promise<void>
}

const SAVE_TIMEOUT_MS = 3_000
const ADDRESSES_TRIED_MAX = 3

/**
 * The only way to call a URL that an untrusted party chose. Every call parses, resolves and judges
 * the URL, and connects to a judged address. It follows no redirect: a 3xx is an answer, and a
 * caller that follows it must start a new call, which judges the target.
 */
export function createOutboundClient(
  policy: OutboundPolicy,
  { resolve = createDnsResolve() }: { readonly resolve?: Resolve } = {},
): OutboundClient {
  const vet = createVet(policy, resolve)
  const connections = createConnections()
  const underWay = new Set<Promise<OutboundResult>>()
  let isClosed = false

  async function send(request: OutboundRequest, deadline: AbortSignal): Promise<OutboundResult> {
    const vetted = await vet(request.url, deadline)
    switch (vetted.kind) {
      case 'refused':
        return toRefusedFailure(vetted.refusal)
      case 'unresolved':
        if (deadline.aborted) return toTimeoutFailure(request.timeoutMs, null)
        return toDnsFailure(vetted.hostname, vetted.error)
      case 'allowed':
        return sendToFirst(vetted, request, deadline)
    }
  }

  /**
   * Tries the next address only if there was no connection to the previous one. Nothing was sent
   * then, so the request cannot arrive twice.
   */
  async function sendToFirst(
    { destination, addresses }: Extract<Vetted, { kind: 'allowed' }>,
    request: OutboundRequest,
    deadline: AbortSignal,
  ): Promise<OutboundResult> {
    let result: OutboundResult | undefined
    for (const address of addresses.slice(0, ADDRESSES_TRIED_MAX)) {
      const connection = connections.lend(destination.origin, address)
      result = await exchange({ connection, address, path: destination.path }, request, deadline)
      if (result.kind === 'answer' || result.reason !== 'connect_failed') return result
    }
    assert(result, 'an allowed destination has an address')
    return result
  }

  return {
    async refusalOf(url) {
      const vetted = await withDeadline(SAVE_TIMEOUT_MS, (deadline) => vet(url, deadline))
      return vetted.kind === 'refused' ? vetted.refusal : undefined
    },
    async call(request) {
      assert(!isClosed, 'the outbound client is closed')
      const call = withDeadline(request.timeoutMs, (deadline) => send(request, deadline))
      underWay.add(call)
      try {
        return await call
      } finally {
        underWay.delete(call)
      }
    },
    async close() {
      isClosed = true
      await Promise.allSettled(underWay)
      await connections.close()
    },
  }
}

/**
 * This uses its own timer, because undici's limits cover neither the DNS lookup nor a body that
 * trickles in.
 */
async function withDeadline<T>(
  timeoutMs: number,
  run: (deadline: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(), timeoutMs)
  try {
    return await run(deadline.signal)
  } finally {
    clearTimeout(timer)
  }
}
