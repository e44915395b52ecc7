import type { Answer, Client, TestApp } from './app.ts'
import { aKey, bodyOf } from './builders.ts'
import { type Evaluated, evaluate } from './spends.ts'

type Fields = Readonly<Record<string, unknown>>

/** An approval as the API shows it. */
export interface ApprovalBody {
  readonly id: string
  readonly status: string
  readonly agentId: string
  readonly agentName: string | null
  readonly vendor: string
  readonly amount: number
  readonly rules: readonly { readonly id: string; readonly observed: unknown }[]
  readonly history: { readonly count: number; readonly amount: number; readonly lastAt: unknown }
  readonly remainingBudget: number
  readonly alike: number
  readonly permit: Fields | null
  readonly decisions: readonly Fields[]
  readonly expiresAt: string
}

/** A key that approves: a different key from the one that asks. */
export async function anApprover(app: TestApp, owner: Client): Promise<Client> {
  const scopes = ['approvals:write']
  const { client } = await aKey(app, owner, { name: 'Approver', scopes })
  return client
}

/** A client that spends: a key bound to the agent. */
export async function aSpender(app: TestApp, owner: Client, agentId: string): Promise<Client> {
  const { client } = await aKey(app, owner, { name: 'Spender', agentIds: [agentId] })
  return client
}

/** Sends a spend that needs an approval, and returns the id of the approval. */
export async function askFor(
  client: Client,
  agentId: string,
  fields: Fields = {},
): Promise<string> {
  return approvalIdIn(await evaluate(client, agentId, fields))
}

export function approvalIdIn({ evaluationDetails }: Evaluated): string {
  const { approval, message } = evaluationDetails
  if (!approval) throw new Error(`The spend asked nobody: ${message}`)
  return approval.id
}

export function decideOn(
  client: Client,
  id: string,
  decision: 'approve' | 'reject' = 'approve',
  fields: Fields = {},
): Promise<Answer> {
  return client.post(`/approvals/${id}/decision`, { decision, ...fields })
}

export async function readApproval(client: Client, id: string): Promise<ApprovalBody> {
  const answer = await client.get(`/approvals/${id}`)
  bodyOf(answer)
  return JSON.parse(answer.text)
}

/** Requests an approval, which a different key then grants. */
export async function approvedFor(
  { spender, approver }: { readonly spender: Client; readonly approver: Client },
  agentId: string,
  fields: Fields = {},
): Promise<string> {
  const id = await askFor(spender, agentId, fields)
  bodyOf(await decideOn(approver, id))
  return id
}

/** Makes an agent's approvals expire. */
export async function endApprovals({ rows }: TestApp, agentId: string): Promise<void> {
  await rows(`update approvals set expires_at = now() - interval '1 second' where agent_id = $1`, [
    agentId,
  ])
}
