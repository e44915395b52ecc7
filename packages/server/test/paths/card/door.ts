import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { AnswerBody } from '../../support/answer-body.ts'
import type { TestApp } from '../../support/app.ts'
import { SECRETS, signedByLithic, signedByStripe } from './desk.ts'

type Fields = Readonly<Record<string, unknown>>

const SAMPLES = resolve(import.meta.dirname, '../../support/card-samples')

/** A body as the issuer sends it; `name` is a file of the samples, without `.json`. */
export function sample(name: string): Fields {
  return JSON.parse(readFileSync(`${SAMPLES}/${name}.json`, 'utf8'))
}

/** The samples are about these cards. */
export const STRIPE_CARD = 'ic_test_1'
export const LITHIC_CARD = '7ef7d65c-9023-4da3-b113-3b8583fd7951'

export interface Knock {
  readonly app: TestApp
  readonly provider: 'stripe' | 'lithic'
  readonly token: string
  readonly door: 'authorization' | 'asa' | 'events'
  readonly body: Fields | string
  readonly secret?: string
  readonly atMs?: number
  readonly headers?: Readonly<Record<string, string>>
}

export interface DoorAnswer {
  readonly status: number
  readonly text: string
  readonly body: AnswerBody & { readonly approved?: boolean; readonly result?: string }
  readonly headers: Readonly<Record<string, unknown>>
}

/** Sends what an issuer sends, signed as it signs. */
export async function knock(asked: Knock): Promise<DoorAnswer> {
  const { app, provider, token, door, body, atMs } = asked
  const payload = typeof body === 'string' ? body : JSON.stringify(body)
  const secret = asked.secret ?? SECRETS[door === 'events' ? 'events' : 'authorization']
  const sign = provider === 'stripe' ? signedByStripe : signedByLithic
  const headers = asked.headers ?? sign(payload, secret, atMs)
  const url = `/ingest/${provider}/${token}/${door}`
  const answer = await app.app.inject({ method: 'POST', url, payload, headers })
  const isJson = String(answer.headers['content-type']).includes('json')
  const read = isJson ? answer.json() : {}
  return { status: answer.statusCode, text: answer.body, body: read, headers: answer.headers }
}
