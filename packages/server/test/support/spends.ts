import { toUuid } from '../../src/core/id.ts'
import type { Client, TestApp } from './app.ts'
import { bodyOf } from './builders.ts'
import { waitUntil } from './wait-until.ts'

type Fields = Readonly<Record<string, unknown>>
type Headers = Readonly<Record<string, string>>

export interface Finding {
  readonly id: string
  readonly type: string
  readonly outcome: string
  readonly code: string | null
  readonly observed: unknown
  readonly limit: unknown
}

/** The receipt in the answer to an evaluation or a simulation. */
export interface ShownReceipt {
  readonly log: string
  readonly leaf: string
  readonly salt: string | null
}

export interface Evaluated {
  readonly decision: 'approved' | 'rejected'
  readonly remainingBudget: number
  readonly transactionId: string
  readonly mandateId: string | null
  readonly agentId: string
  readonly amount: number
  readonly vendor: string
  readonly category: string | null
  readonly status: string
  readonly flags: readonly string[]
  readonly evaluationDetails: {
    readonly code: string
    readonly message: string
    readonly mandateVersion: number | null
    readonly policyHash: string | null
    readonly evaluatedAt: string
    readonly durationMs: number
    readonly path: string
    readonly firstFailure: string | null
    readonly failed: readonly string[]
    readonly rules: readonly Finding[]
    readonly budget: Readonly<Record<string, unknown>> | null
    readonly approval: {
      readonly id: string
      readonly status: string
      readonly url: string | null
      readonly expiresAt: string
    } | null
    readonly next: {
      readonly maxAmountNow: number | null
      readonly maxAmountWithApproval: number | null
      readonly retryAfter: string | null
    }
    readonly receipt: ShownReceipt | null
  }
}

/** A transaction as the API shows it. */
export interface TransactionBody {
  readonly transactionId: string
  readonly agentId: string
  readonly mandateId: string | null
  readonly amount: number
  readonly decision: string
  readonly status: string
  readonly code: string
  readonly vendor: string
  readonly category: string | null
  readonly currency: string | null
  readonly reference: string | null
  readonly reason: string | null
  readonly metadata: Readonly<Record<string, string>> | null
  readonly remainingBudget: number
  readonly heldAmount: number
  readonly settledAmount: number
  readonly refundedAmount: number
  readonly flags: readonly string[]
  readonly expiresAt: string | null
  readonly settledAt: string | null
  readonly createdAt: string
  readonly evaluationDetails: object | null
  readonly detailsRemovedAt: string | null
  readonly approvalId: string | null
}

export const NO_TRANSACTION = 'txn_019a85617c5e7d409b5e6f1f0a3c2b11'

export function aSpend(agentId: string, fields: Fields = {}): Fields {
  return { agentId, amount: 10, vendor: 'api.openai.com', category: 'llm', ...fields }
}

/** Evaluates a spend; the answer must be a decision for the test to make sense. */
export async function evaluate(
  client: Client,
  agentId: string,
  fields: Fields = {},
  headers: Headers = {},
): Promise<Evaluated> {
  const answer = await client.post('/gateway/evaluate', aSpend(agentId, fields), headers)
  bodyOf(answer)
  return JSON.parse(answer.text)
}

export async function simulate(
  client: Client,
  agentId: string,
  fields: Fields = {},
): Promise<Evaluated> {
  const answer = await client.post('/gateway/simulate', aSpend(agentId, fields))
  bodyOf(answer)
  return JSON.parse(answer.text)
}

export function aHold(
  client: Client,
  agentId: string,
  amount: number,
  expiresIn = '15m',
): Promise<Evaluated> {
  return evaluate(client, agentId, { amount, hold: { expiresIn } })
}

/** Settles, voids or refunds, which must succeed. */
export async function change(
  client: Client,
  transactionId: string,
  action: 'settle' | 'void' | 'refund',
  amount?: number,
): Promise<TransactionBody> {
  const body = amount === undefined ? undefined : { amount }
  const answer = await client.post(`/transactions/${transactionId}/${action}`, body)
  bodyOf(answer)
  return JSON.parse(answer.text)
}

export async function readTransaction(
  client: Client,
  transactionId: string,
): Promise<TransactionBody> {
  const answer = await client.get(`/transactions/${transactionId}`)
  bodyOf(answer)
  return JSON.parse(answer.text)
}

/** The budget of a mandate as [spent, held, remaining]. */
export async function budgetOf(
  client: Client,
  mandateId: string,
): Promise<readonly [spent: number, held: number, remaining: number]> {
  const mandate = bodyOf(await client.get(`/mandates/${mandateId}`))
  return [mandate.budgetSpent, mandate.budgetHeld, mandate.remainingBudget]
}

/** Makes all holds of an agent expire. */
export async function endHolds({ rows }: TestApp, agentId: string): Promise<void> {
  await rows(
    `update transactions set expires_at = date_trunc('milliseconds', now()) - interval '1 second'
     where agent_id = $1 and status = 'held'`,
    [agentId],
  )
}

/** Waits until every hold that has expired at this instant is released. */
export function whenSwept({ rows }: TestApp, now: number): Promise<void> {
  return waitUntil(async () => {
    const overdue = `select 1 from transactions where status = 'held' and expires_at <= $1 limit 1`
    return (await rows(overdue, [new Date(now).toISOString()])).length === 0
  })
}

/** The kinds of the events of an agent's mandate, oldest first. */
export async function eventsOf(app: TestApp, mandateId: string): Promise<readonly string[]> {
  const rows = await app.rows<{ kind: string }>(
    `select kind from webhook_events where mandate_id = $1 order by number`,
    [toUuid('mnd', mandateId)],
  )
  return rows.map(({ kind }) => kind)
}
