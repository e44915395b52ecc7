import assert from 'node:assert/strict'
import type { AnswerBody } from './answer-body.ts'
import type { Client } from './app.ts'
import { anAgent, bodyOf } from './builders.ts'

type Fields = Readonly<Record<string, unknown>>

/** Signing secrets in a format that every supported issuer accepts. */
export const SECRETS = {
  authorization: `whsec_${Buffer.alloc(24, 1).toString('base64')}`,
  events: `whsec_${Buffer.alloc(24, 2).toString('base64')}`,
}

/** The provider is stripe, unless the fields say otherwise. */
export async function aConnection(client: Client, fields: Fields = {}): Promise<AnswerBody> {
  const body = { provider: 'stripe', name: 'Issuer', ...fields }
  return bodyOf(await client.post('/card-connections', body))
}

/** Creates a card, with its own agent and connection unless they are named. */
export async function aCard(client: Client, fields: Fields = {}): Promise<AnswerBody> {
  const agentId = fields['agentId'] ?? (await anAgent(client)).id
  const connectionId = fields['connectionId'] ?? (await aConnection(client)).id
  const body = { externalId: 'ic_1MvSieLkdIwHu7ix', ...fields, agentId, connectionId }
  return bodyOf(await client.post('/cards', body))
}

/** The token of a connection that was just created, or whose token was just rotated. */
export function tokenOf(ingest: AnswerBody['ingest']): string {
  const [, token] = /\/ingest\/\w+\/([\w-]{43})\//.exec(ingest?.authorizationUrl ?? '') ?? []
  assert(token, 'the answer shows a token')
  return token
}
