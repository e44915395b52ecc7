import type {
  Agent,
  AgentList,
  EventKind,
  ListedTransaction,
  Organization,
  TransactionList,
} from '../../src/generated/types/index.ts'
import {
  type Call,
  type CallOptions,
  type List,
  Purser,
  type StreamedEvent,
} from '../../src/index.ts'
import { isType } from './is-type.ts'

/*
 * `tsc` checks this file, and nothing runs it. A line after `@ts-expect-error` must be a mistake:
 * the check fails once the compiler accepts it.
 */

export function makeClients(): void {
  new Purser()
  new Purser({ apiKey: null })
  new Purser({ apiKey: 'k', baseUrl: 'https://a.example', timeoutMs: 1, retries: 0, fetch })
  // @ts-expect-error The option is `apiKey`.
  new Purser({ apikey: 'k' })
  // @ts-expect-error A time is a number of milliseconds.
  new Purser({ timeoutMs: '5s' })
  // @ts-expect-error Options are not changed later.
  new Purser().agents = {}
}

export function sendInputs(purser: Purser, agentId: string): void {
  const spend = { agentId, amount: 1, vendor: 'api.example.com', category: 'llm' }
  void purser.gateway.evaluate(spend, { idempotencyKey: 'k', signal: AbortSignal.timeout(1) })
  void purser.gateway.evaluate({ ...spend, hold: { expiresIn: '15m' } })
  // @ts-expect-error An amount is a number.
  void purser.gateway.evaluate({ ...spend, amount: '1' })
  // @ts-expect-error The vendor is missing.
  void purser.gateway.evaluate({ agentId, amount: 1, category: 'llm' })
  // @ts-expect-error The field is `vendor`.
  void purser.gateway.evaluate({ ...spend, vendr: 'api.example.com' })
  // @ts-expect-error The input is missing.
  void purser.gateway.evaluate()
  // @ts-expect-error A hold says how long it lasts.
  void purser.gateway.evaluate({ ...spend, hold: {} })
  // @ts-expect-error An agent has a name.
  void purser.agents.create({})
  // @ts-expect-error The status is one of the document's.
  void purser.agents.update(agentId, { status: 'asleep' })
  // @ts-expect-error The id comes first.
  void purser.mandates.activate()
  // @ts-expect-error A method without an input takes options.
  void purser.agents.delete(agentId, { name: 'x' })
  void purser.agents.delete(agentId, { retries: 0 })
  void purser.transactions.settle('txn_1')
  void purser.transactions.settle('txn_1', { amount: 3 })
  // @ts-expect-error There is no such method.
  void purser.transactions.remove('txn_1')
  // @ts-expect-error The option is `idempotencyKey`.
  void purser.agents.create({ name: 'Buyer' }, { idempotency: 'k' } satisfies CallOptions)
}

export async function readAnswers(purser: Purser): Promise<void> {
  isType<Call<Organization>>()(purser.organization.get())
  const { data, response, requestId } = await purser.agents.get('a').withResponse()
  isType<Agent>()(data)
  isType<Response>()(response)
  isType<string | null>()(requestId)
  // @ts-expect-error An answer is not changed.
  data.name = 'Other'
  // @ts-expect-error Only decisions can be rejected.
  void purser.agents.get('a').orThrow()
}

export async function readLists(purser: Purser): Promise<void> {
  const list = purser.agents.list({ limit: 5, status: 'active' })
  isType<List<Agent, AgentList>>()(list)
  for await (const agent of list) isType<Agent>()(agent)
  isType<AgentList>()(await list.page())
  isType<Agent[]>()(await list.toArray({ limit: 10 }))
  isType<TransactionList>()(await purser.transactions.list().page())
  // @ts-expect-error A list is read with `for await`, or by its pages.
  await list.map((agent: Agent) => agent.id)
  // @ts-expect-error The number of entries is bounded.
  void list.toArray()
  // @ts-expect-error There is no such filter.
  void purser.agents.list({ colour: 'red' })
  // @ts-expect-error The status is one of the document's.
  void purser.agents.list({ status: 'asleep' })
}

export async function readStreams(purser: Purser, signal: AbortSignal): Promise<void> {
  for await (const event of purser.events.stream({ after: 'oldest' }, { signal })) {
    isType<StreamedEvent>()(event)
    isType<EventKind>()(event.event)
  }
  for await (const row of purser.transactions.export({ vendor: 'a.example' })) {
    isType<ListedTransaction>()(row)
  }
  for await (const line of purser.auditLog.export({ cursor: 5 })) isType<string>()(line)
  // @ts-expect-error The client chooses the format that it can read.
  purser.transactions.export({ format: 'csv' })
  // @ts-expect-error There is no such kind of event.
  purser.events.stream({ event: 'transaction.lost' })
  void purser.mandates.backtest(
    'mnd_1',
    { rules: [{ type: 'amount', max: 5 }] },
    { onProgress: ({ replayed }) => isType<number>()(replayed) },
  )
}
