import { createTestApp, type Owner, type TestApp } from '../../../server/test/support/app.ts'
import { Purser } from '../../src/index.ts'

/** A gateway on a real port, with a client for its owner. */
export interface Place {
  readonly app: TestApp
  readonly acme: Owner
  readonly baseUrl: string
  /** A client with the key of the owner. */
  readonly owner: Purser
  /** A client with a key that may decide approvals. */
  readonly approver: Purser
}

export async function aGateway(): Promise<Place> {
  const app = await createTestApp()
  const acme = await app.organization()
  const baseUrl = await app.app.listen({ port: 0, host: '127.0.0.1' })
  const owner = new Purser({ apiKey: acme.apiKey, baseUrl })
  const { apiKey } = await owner.apiKeys.create({ name: 'Approver', scopes: ['approvals:write'] })
  return { app, acme, baseUrl, owner, approver: new Purser({ apiKey, baseUrl }) }
}

/** An agent with a budget of 100, whose spends above 50 need an approval, and its own client. */
export async function anAgent({ owner, baseUrl }: Place, options: AgentOptions = {}) {
  const agent = await owner.agents.create({ name: 'Buyer' })
  const rules = [{ type: 'approval', above: 50, expiresIn: '30m' }] as const
  const mandate = await owner.mandates.create({ agentId: agent.id, budgetTotal: 100, rules })
  await owner.mandates.activate(mandate.id)
  const key = await owner.apiKeys.create({
    name: 'Buyer',
    agentIds: [agent.id],
    ...(options.scopes && { scopes: options.scopes }),
  })
  const { fetch = globalThis.fetch, timeoutMs = 60_000 } = options
  const purser = new Purser({ apiKey: key.apiKey, baseUrl, fetch, timeoutMs })
  const budget = async () => {
    const { budgetSpent, budgetHeld } = await owner.mandates.get(mandate.id)
    return { spent: budgetSpent, held: budgetHeld }
  }
  return { id: agent.id, purser, budget }
}

interface AgentOptions {
  readonly fetch?: typeof globalThis.fetch
  readonly timeoutMs?: number
  readonly scopes?: readonly ('gateway:read' | 'gateway:write')[]
}

/** A spend of this amount. */
export function aSpend(amount: number) {
  return { amount, vendor: 'api.example.com', category: 'llm' }
}

/** Returns the error with which a promise is rejected. */
export async function errorOf(promise: Promise<unknown>): Promise<unknown> {
  const value = await promise.then(
    () => undefined,
    (error: unknown) => ({ error }),
  )
  if (!value) throw new Error('The promise was fulfilled.')
  return value.error
}

/** A `fetch` that meets faults: `fault` may throw, or return a response, in place of the network. */
export function faultyFetch(
  fault: (url: string, send: () => Promise<Response>) => Promise<Response>,
): typeof globalThis.fetch {
  return (input, init) => fault(String(input), () => globalThis.fetch(input, init))
}

/** The failure of a connection, as `fetch` gives it. */
export function lost(): TypeError {
  return new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } })
}
