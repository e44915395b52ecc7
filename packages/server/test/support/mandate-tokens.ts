import type { TokenClaims } from '../../src/core/tokens/claims.ts'
import { type Answer, type Client, createTestApp, type TestApp } from './app.ts'

/** The app of most tests of mandate tokens, and its public URL. */
export const ISSUER = 'https://gateway.example'
export const createTokenApp = (): Promise<TestApp> =>
  createTestApp(undefined, { publicUrl: ISSUER })

export interface Issued {
  readonly token: string
  readonly tokenType: string
  readonly expiresAt: string
  readonly jti: string
  readonly kid: string
  readonly issuer: string
  readonly audience: string
  readonly mandateId: string
  readonly mandateVersion: number
  readonly jwksUri: string
}

export interface Introspected {
  readonly active: boolean
  readonly claims?: TokenClaims
  readonly budget?: { readonly limit: number; readonly remaining: number }
  readonly proposed?: {
    readonly decision: string
    readonly code: string
    readonly message: string
    readonly next: { readonly maxAmountNow: number | null }
  }
}

export function askForToken(
  client: Client,
  query: Readonly<Record<string, string>>,
): Promise<Answer> {
  return client.get(`/gateway/mandate-token?${new URLSearchParams(query)}`)
}

/** Issues a token; the answer must be 200. */
export async function issueToken(
  client: Client,
  query: Readonly<Record<string, string>>,
): Promise<Issued> {
  const { status, text } = await askForToken(client, query)
  if (status !== 200) throw new Error(`No token: ${text}`)
  return JSON.parse(text)
}

export async function introspect(
  client: Client,
  token: string,
  proposed?: object,
): Promise<Introspected> {
  const body = { token, ...(proposed && { proposed }) }
  const { status, text } = await client.post('/gateway/mandate-token/introspect', body)
  if (status !== 200) throw new Error(`No introspection: ${text}`)
  return JSON.parse(text)
}

/** Reads the claims of a token, without any check. */
export function readClaims(token: string): TokenClaims {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
}
