import assert from 'node:assert/strict'
import type { AnswerBody } from './answer-body.ts'
import type { Client } from './app.ts'
import { anAgent, bodyOf } from './builders.ts'

type Fields = Readonly<Record<string, unknown>>

/** What an issuer signs with, in a form that every issuer of ours accepts. */
export const SECRETS = {
  authorization: `whsec_${Buffer.alloc(24, 1).toString('base64')}`,
  events: `whsec_${Buffer.alloc(24, 2).toString('base64')}`,
}

/** Of stripe, unless the fields say otherwise. */
export async function aConnection(client: Client, fields: Fields = {}): Promise<AnswerBody> {
  const body = { provider: 'stripe', name: 'Issuer', ...fields }
  return bodyOf(await client.post('/card-connections', body))
}

/** It gets its own agent and its own connection unless they are named. */
export async function aCard(client: Client, fields: Fields = {}): Promise<AnswerBody> {
  const agentId = fields['agentId'] ?? (await anAgent(client)).id
  const connectionId = fields['connectionId'] ?? (await aConnection(client)).id
  const body = { externalId: 'ic_1MvSieLkdIwHu7ix', ...fields, agentId, connectionId }
  return bodyOf(await client.post('/cards', body))
}

/** The token of a connection that was just made, or just got another one. */
export function tokenOf(ingest: AnswerBody['ingest']): string {
  const [, token] = /\/ingest\/\w+\/([\w-]{43})\//.exec(ingest?.authorizationUrl ?? '') ?? []
  assert(token, 'the answer shows a token')
  return token
}
