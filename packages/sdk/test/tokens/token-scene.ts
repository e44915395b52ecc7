import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type MandateTokenError, PurserError, type VerifyMandateTokenOptions } from '@purser/sdk'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished } from 'vitest'
import { createTestApp, type Owner, type TestApp } from '../../../server/test/support/app.ts'
import { anActiveMandate } from '../../../server/test/support/builders.ts'
import { issueToken, readClaims } from '../../../server/test/support/mandate-tokens.ts'

export const SHOP = 'https://shop.example'

export interface TokenScene {
  readonly acme: Owner
  readonly issuer: string
  readonly agentId: string
  /** A token of a real gateway for the shop. */
  readonly token: string
  /** The requests for keys of this test. */
  readonly sent: string[]
  /** Each test has its own function, and so its own cache. */
  readonly options: VerifyMandateTokenOptions
}

/** Starts a real gateway that listens, for the tests of a file. */
export function useTokenScene(): TokenScene {
  const scene = {} as { -readonly [Name in keyof TokenScene]: TokenScene[Name] }
  let app: TestApp
  beforeAll(async () => {
    app = await createTestApp()
    const acme = await app.organization()
    const address = await app.app.listen({ host: 'localhost', port: 0 })
    const issuer = `http://localhost:${new URL(address).port}`
    const { agentId } = await anActiveMandate(acme)
    const { token } = await issueToken(acme, { agentId, audience: SHOP })
    Object.assign(scene, { acme, issuer, agentId, token })
  })
  afterAll(() => app.stop())
  beforeEach(() => {
    const sent: string[] = []
    scene.sent = sent
    const counting: typeof fetch = (input, init) => {
      sent.push(String(input))
      return fetch(input, init)
    }
    scene.options = { issuer: scene.issuer, audience: SHOP, fetch: counting }
  })
  return scene
}

/** The code of the error with which a promise rejects. */
export async function codeOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => undefined,
    (thrown: MandateTokenError) => thrown,
  )
  if (error) expect(PurserError.is(error) && error.name).toBe('MandateTokenError')
  return error?.code ?? 'accepted'
}

export function encode(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return Buffer.from(text).toString('base64url')
}

export function headerOf(token: string): Record<string, string> {
  return JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString())
}

/** The token with a different header or claims, and its old signature. */
export function alter(token: string, change: { header?: object; claims?: object }): string {
  const [, , signature] = token.split('.')
  const header = { ...headerOf(token), ...change.header }
  const claims = { ...readClaims(token), ...change.claims }
  return `${encode(header)}.${encode(claims)}.${signature}`
}

/** Signs a token with ES256, whatever its header says. */
export function signToken(key: KeyObject, header: object, claims: object): string {
  const start = `${encode(header)}.${encode(claims)}`
  const signature = sign('sha256', Buffer.from(start), { key, dsaEncoding: 'ieee-p1363' })
  return `${start}.${signature.toString('base64url')}`
}

export function newKeyPair() {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' })
}

/** An issuer with a key of the test, which signs any claims. */
export async function anIssuer({ token, options }: TokenScene) {
  const { publicKey, privateKey } = newKeyPair()
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'key-1', alg: 'ES256', use: 'sig' }
  const site = await aSite((_path, answer) => answer(200, JSON.stringify({ keys: [jwk] })))
  const signed = (change: object = {}, header: object = {}) =>
    signToken(
      privateKey,
      { alg: 'ES256', typ: 'mandate+jwt', kid: 'key-1', ...header },
      { ...readClaims(token), iss: site.url, ...change },
    )
  return { ...site, sign: signed, jwk, options: { ...options, issuer: site.url } }
}

type Reply = (status: number, body: string, headers?: Record<string, string>) => void

/** A server on the loopback that records the paths of its requests. */
export async function aSite(handle: (path: string, answer: Reply) => void) {
  const paths: string[] = []
  const server = createServer((request, response) => {
    paths.push(request.url ?? '')
    handle(request.url ?? '', (status, body, headers = {}) =>
      response.writeHead(status, headers).end(body),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, paths }
}
