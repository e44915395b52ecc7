import { NotFoundError } from '../client/errors.ts'
import type { Agent, Approval, Mandate, Transaction } from '../generated/types/index.ts'
import type { ToolClient, ToolContext } from './types.ts'

/** Gets a transaction. For the model, the transactions of other agents do not exist. */
export async function ownTransaction(
  purser: ToolClient,
  id: string,
  context: ToolContext,
): Promise<Transaction> {
  const transaction = await purser.transactions.get(id, signalOf(context))
  if (isOwn(transaction, context)) return transaction
  throw new NotFoundError('There is no transaction with this id.', {
    code: 'transaction_not_found',
    status: 404,
  })
}

/** Gets an approval of the agent, and waits for its decision for so many seconds. */
export async function ownApproval(
  purser: ToolClient,
  id: string,
  waitSeconds: number,
  context: ToolContext,
): Promise<Approval> {
  const query = waitSeconds > 0 ? { wait: waitSeconds } : {}
  const approval = await purser.approvals.get(id, query, signalOf(context))
  if (isOwn(approval, context)) return approval
  throw new NotFoundError('There is no approval with this id.', {
    code: 'approval_not_found',
    status: 404,
  })
}

export type OwnAgent = Agent & { readonly mandate?: Mandate | null | undefined }

/** Finds the agent by the id that the model gave, or as the only one that the key can see. */
export async function ownAgent(
  purser: ToolClient,
  agentId: string | undefined,
  context: ToolContext,
): Promise<OwnAgent | undefined> {
  if (agentId) return purser.agents.get(agentId, { include: 'mandate' }, signalOf(context))
  const { data } = await purser.agents
    .list({ include: 'mandate', limit: 2 }, signalOf(context))
    .page()
  return data.length === 1 ? data[0] : undefined
}

export function signalOf({ signal }: ToolContext): { readonly signal?: AbortSignal } {
  return signal ? { signal } : {}
}

function isOwn({ agentId }: { readonly agentId: string }, context: ToolContext): boolean {
  return context.agentId === undefined || agentId === context.agentId
}
