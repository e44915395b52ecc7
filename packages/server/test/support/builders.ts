import { expect } from 'vitest'
import { toUuid } from '../../src/core/id.ts'
import type { Plan } from '../../src/core/plan.ts'
import type { AnswerBody } from './answer-body.ts'
import type { Answer, Client, Owner, TestApp } from './app.ts'

type Fields = Readonly<Record<string, unknown>>

export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

/** Ids in the right format that do not exist. */
export const NO_AGENT = '019a8561-7c5e-7d40-9b5e-6f1f0a3c2b11'
export const NO_MANDATE = 'mnd_019a85617c5e7d409b5e6f1f0a3c2b11'
export const NO_KEY = 'key_019a85617c5e7d409b5e6f1f0a3c2b11'

export async function anAgent(client: Client, fields: Fields = {}): Promise<AnswerBody> {
  return bodyOf(await client.post('/agents', { name: 'Research', ...fields }))
}

/** Creates a draft, with its own agent unless one is named. */
export async function aDraft(client: Client, fields: Fields = {}): Promise<AnswerBody> {
  const agentId = fields['agentId'] ?? (await anAgent(client)).id
  return bodyOf(await client.post('/mandates', { budgetTotal: 100, ...fields, agentId }))
}

export async function anActiveMandate(client: Client, fields: Fields = {}): Promise<AnswerBody> {
  const draft = await aDraft(client, fields)
  return bodyOf(await client.post(`/mandates/${draft.id}/activate`))
}

export async function aRevokedMandate(client: Client, fields: Fields = {}): Promise<AnswerBody> {
  const mandate = await anActiveMandate(client, fields)
  return bodyOf(await client.post(`/mandates/${mandate.id}/revoke`))
}

/** Creates a key, and a client that uses it. */
export async function aKey(
  app: TestApp,
  owner: Client,
  fields: Fields = {},
): Promise<{ readonly key: AnswerBody; readonly client: Client }> {
  const key = bodyOf(await owner.post('/api-keys', { name: 'Another key', ...fields }))
  return { key, client: app.client(key.apiKey) }
}

/** Changes the mandate as a decision would. */
export async function setSpent(
  app: TestApp,
  mandateId: string,
  { spent, held = 0, periodStart }: { spent: number; held?: number; periodStart?: string },
): Promise<void> {
  await app.rows(
    `update mandates set budget_spent = $2, budget_held = $3, spent_period_start = $4
     where id = $1`,
    [toUuid('mnd', mandateId), spent * 1e6, held * 1e6, periodStart ?? null],
  )
}

export async function setPlan(app: TestApp, owner: Owner, plan: Plan): Promise<void> {
  await app.rows('update organizations set plan = $2 where id = $1', [owner.organizationId, plan])
}

export async function statusOf(client: Client, mandateId: string): Promise<string> {
  return bodyOf(await client.get(`/mandates/${mandateId}`)).status
}

/** The body of an answer that must be a success for the test to make sense. */
export function bodyOf({ status, body, text }: Answer): AnswerBody {
  expect(status, text).toBe(200)
  return body
}

/** A problem without the parts that differ between any two requests. */
export function withoutRequest(answer: Answer, ...ids: readonly string[]): string {
  return [answer.body.requestId, ...ids].reduce(
    (text, part) => text.replaceAll(part, '…'),
    `${answer.status} ${answer.text}`,
  )
}
