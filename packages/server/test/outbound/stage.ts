import type { Socket } from 'node:net'
import {
  createOutboundClient,
  type OutboundClient,
  type OutboundPolicy,
  type OutboundRequest,
  type OutboundResult,
} from '../../src/outbound/outbound-client.ts'
import type { Resolve } from '../../src/outbound/resolver.ts'
import { okWith, type RawServer, startRawServer } from './raw-server.ts'

const LOOPBACK: OutboundPolicy = { allowLoopback: true, allowedNetworks: [] }

interface Stage {
  /** A client that may call the loopback by default. */
  client(parts?: { readonly resolve?: Resolve; readonly policy?: OutboundPolicy }): OutboundClient
  receiver(...parameters: Parameters<typeof startRawServer>): Promise<RawServer>
  /** Further clean-up after the test. */
  afterwards(undo: () => unknown): void
  clear(): Promise<void>
}

/** Clients and receivers of one test, which are closed after it. */
export function createStage(): Stage {
  const undoing: (() => unknown)[] = []
  return {
    client({ policy = LOOPBACK, ...parts } = {}) {
      const client = createOutboundClient(policy, parts)
      undoing.push(() => client.close())
      return client
    },
    async receiver(...parameters) {
      const server = await startRawServer(...parameters)
      undoing.push(() => server.close())
      return server
    },
    afterwards: (undo) => undoing.push(undo),
    async clear() {
      for (const undo of undoing.splice(0).reverse()) await undo()
    },
  }
}

export function aRequest(url: string, change: Partial<OutboundRequest> = {}): OutboundRequest {
  const usual = { method: 'GET', headers: {}, timeoutMs: 120_000, answerBytesMax: 1_000 } as const
  return { ...usual, url, ...change }
}

export function answerFine(socket: Socket): void {
  socket.write(okWith('fine'))
}

export function textOf(result: OutboundResult): string {
  return result.kind === 'answer' ? result.body.toString() : ''
}
