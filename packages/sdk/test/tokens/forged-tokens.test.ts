import { createHmac } from 'node:crypto'
import { type VerifyMandateTokenOptions, verifyMandateToken } from '@purser/sdk'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { readClaims } from '../../../server/test/support/mandate-tokens.ts'
import {
  alter,
  anIssuer,
  aSite,
  codeOf,
  encode,
  headerOf,
  newKeyPair,
  SHOP,
  signToken,
  useTokenScene,
} from './token-scene.ts'

const scene = useTokenScene()

describe('a forged token', () => {
  test('with any changed claim has no matching signature', async () => {
    for (const claims of [{ exp: 4_000_000_000 }, { sub: 'me' }, { aud: 'https://x.example' }]) {
      expect(await codeOf(verifyMandateToken(alter(scene.token, { claims }), scene.options))).toBe(
        'signature_mismatch',
      )
    }
  })

  test.each([
    ['alg none', { alg: 'none' }],
    ['HS256', { alg: 'HS256' }],
    ['ES384', { alg: 'ES384' }],
    ['es256 in small letters', { alg: 'es256' }],
    ['another type', { typ: 'JWT' }],
    ['no type', { typ: undefined }],
    ['a critical extension', { crit: ['exp'] }],
    ['a key of its own', { jwk: { kty: 'EC' } }],
    ['a URL of keys', { jku: 'https://evil.example/jwks.json' }],
    ['a URL of certificates', { x5u: 'https://evil.example/c.pem' }],
    ['certificates', { x5c: ['abc'] }],
    ['no key id', { kid: undefined }],
    ['a key id that is a number', { kid: 7 }],
    ['a very long key id', { kid: 'k'.repeat(257) }],
  ])('with %s is refused before any request', async (_name, header) => {
    expect(await codeOf(verifyMandateToken(alter(scene.token, { header }), scene.options))).toBe(
      'header_refused',
    )
    expect(scene.sent).toEqual([])
  })

  test('that is signed with the public key as an HMAC secret is refused', async () => {
    const published = await (await fetch(`${scene.issuer}/.well-known/jwks.json`)).text()
    const [key] = JSON.parse(published).keys
    for (const alg of ['HS256', 'ES256']) {
      const start = `${encode({ ...headerOf(scene.token), alg })}.${encode(readClaims(scene.token))}`
      const mac = createHmac('sha256', JSON.stringify(key)).update(start).digest()
      const forged = `${start}.${Buffer.concat([mac, mac]).toString('base64url')}`
      expect(['header_refused', 'signature_mismatch']).toContain(
        await codeOf(verifyMandateToken(forged, scene.options)),
      )
    }
  })

  test('that is signed by a different issuer with a key of the same name is refused', async () => {
    const { privateKey } = newKeyPair()
    const forged = signToken(privateKey, headerOf(scene.token), readClaims(scene.token))
    expect(await codeOf(verifyMandateToken(forged, scene.options))).toBe('signature_mismatch')
  })

  test('that names the key of a different issuer in its header causes no request there', async () => {
    const evil = await anIssuer(scene)
    const forged = evil.sign({ iss: scene.issuer }, { jku: `${evil.url}/.well-known/jwks.json` })
    expect(await codeOf(verifyMandateToken(forged, scene.options))).toBe('header_refused')
    const without = evil.sign({ iss: scene.issuer })
    expect(await codeOf(verifyMandateToken(without, scene.options))).toBe('key_unknown')
    expect(evil.paths).toEqual([])
  })

  test.each([
    ['empty', ''],
    ['one part', 'abc'],
    ['four parts', 'a.b.c.d'],
    ['not base64url', 'a+b.c/d.e='],
    ['JSON that is no object', `${encode('[]')}.${encode('{}')}.${encode('x'.repeat(64))}`],
    ['no text', 7 as unknown as string],
    ['nothing', undefined as unknown as string],
  ])('that is %s is malformed', async (_name, text) => {
    expect(await codeOf(verifyMandateToken(text, scene.options))).toBe('token_malformed')
  })

  test('that is too long, or has a second spelling of its signature, is malformed', async () => {
    const long = alter(scene.token, { claims: { padding: 'x'.repeat(20_000) } })
    expect(await codeOf(verifyMandateToken(long, scene.options))).toBe('token_malformed')
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const last = letters.indexOf(scene.token.slice(-1))
    const other = `${scene.token.slice(0, -1)}${letters[last + 1]}`
    expect(await codeOf(verifyMandateToken(other, scene.options))).toBe('token_malformed')
    expect(await codeOf(verifyMandateToken(`${scene.token}=`, scene.options))).toBe(
      'token_malformed',
    )
  })

  test('with a right signature and wrong claims is refused', async () => {
    const gateway = await anIssuer(scene)
    const check = async (change: object) =>
      codeOf(verifyMandateToken(gateway.sign(change), gateway.options))
    expect(await check({})).toBe('accepted')
    expect(await check({ aud: [SHOP] })).toBe('audience_mismatch')
    expect(await check({ aud: `${SHOP}/` })).toBe('audience_mismatch')
    expect(await check({ ver: 2 })).toBe('claims_invalid')
    expect(await check({ use: 'payment' })).toBe('claims_invalid')
    expect(await check({ exp: '4000000000' })).toBe('claims_invalid')
    expect(await check({ nbf: undefined })).toBe('claims_invalid')
    expect(await check({ iat: 4_000_000_000 })).toBe('token_not_yet_valid')
    expect(await check({ jti: '' })).toBe('claims_invalid')
    expect(await check({ mandate: null })).toBe('claims_invalid')
    expect(await check({ constraints: undefined })).toBe('claims_invalid')
    expect(await check({ constraints: [{ type: 'dev.purser.new.1' }] })).toBe('constraint_unknown')
    expect(await check({ constraints: ['dev.purser.payee.1'] })).toBe('claims_invalid')
  })
})

describe('the keys of the issuer', () => {
  const madeUp = (kid: string) => alter(scene.token, { header: { kid } })

  test('are fetched once for many concurrent tokens', async () => {
    await Promise.all(
      Array.from({ length: 50 }, () => verifyMandateToken(scene.token, scene.options)),
    )
    expect(scene.sent).toHaveLength(1)
  })

  test('are not fetched for each made-up key id', async () => {
    await verifyMandateToken(scene.token, scene.options)
    for (let n = 0; n < 50; n++) {
      expect(await codeOf(verifyMandateToken(madeUp(`key-${n}`), scene.options))).toBe(
        'key_unknown',
      )
    }
    expect(scene.sent).toHaveLength(1)
  })

  test('are fetched again for an unknown key after half a minute, and all after five minutes', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const start = Date.now()
    const at = (seconds: number) => vi.setSystemTime(start + seconds * 1_000)
    await verifyMandateToken(scene.token, scene.options)
    at(31)
    await codeOf(verifyMandateToken(madeUp('one'), scene.options))
    await codeOf(verifyMandateToken(madeUp('two'), scene.options))
    expect(scene.sent).toHaveLength(2)
    at(31 + 299)
    await codeOf(verifyMandateToken(scene.token, scene.options))
    expect(scene.sent).toHaveLength(2)
    at(31 + 301)
    await codeOf(verifyMandateToken(scene.token, scene.options))
    expect(scene.sent).toHaveLength(3)
  })

  test('are never taken from the target of a redirect', async () => {
    const evil = await anIssuer(scene)
    const moved = await aSite((path, answer) => answer(302, '', { location: `${evil.url}${path}` }))
    const forged = evil.sign({ iss: moved.url })
    const elsewhere = { ...scene.options, issuer: moved.url }
    expect(await codeOf(verifyMandateToken(forged, elsewhere))).toBe('keys_unavailable')
    expect(evil.paths).toEqual([])
  })

  test.each<[string, number, string]>([
    ['an error', 500, ''],
    ['no JSON', 200, '<html>'],
    ['JSON without keys', 200, '{}'],
    ['a huge answer', 200, JSON.stringify({ keys: [], padding: 'x'.repeat(70_000) })],
  ])(
    'are unavailable after %s, and are not asked for again at once',
    async (_name, status, body) => {
      const site = await aSite((_path, answer) => answer(status, body))
      const broken = { ...scene.options, issuer: site.url }
      const text = alter(scene.token, { claims: { iss: site.url } })
      for (let n = 0; n < 10; n++) {
        expect(await codeOf(verifyMandateToken(text, broken))).toBe('keys_unavailable')
      }
      expect(site.paths).toHaveLength(1)
    },
  )

  test('of other kinds are ignored, and a broken one does not hide the right one', async () => {
    const gateway = await anIssuer(scene)
    const keys = [
      { kty: 'RSA', kid: 'key-1', n: 'AQAB', e: 'AQAB' },
      { kty: 'oct', kid: 'key-1', k: 'AAAA' },
      { ...gateway.jwk, use: 'enc' },
      { ...gateway.jwk, kid: 'key-2', x: gateway.jwk.y },
      null,
      gateway.jwk,
    ]
    const site = await aSite((_path, answer) => answer(200, JSON.stringify({ keys })))
    const text = gateway.sign({ iss: site.url })
    const mixed = { ...scene.options, issuer: site.url }
    expect(await codeOf(verifyMandateToken(text, mixed))).toBe('accepted')
  })
})

test('an issuer on a name of this machine needs no https', async () => {
  for (const issuer of ['http://localhost:1', 'http://gateway.localhost', 'http://[::1]:1']) {
    const options = { ...scene.options, issuer }
    expect(await codeOf(verifyMandateToken(scene.token, options))).toBe('issuer_mismatch')
  }
})

describe('a caller that aborts', () => {
  test('before the call causes no request', async () => {
    const options = { ...scene.options, signal: AbortSignal.abort() }
    expect(await codeOf(verifyMandateToken(scene.token, options))).toBe('aborted')
    expect(scene.sent).toEqual([])
  })

  test('ends its own call and not that of others', async () => {
    const gateway = await anIssuer(scene)
    let open = () => {}
    const opened = new Promise<void>((resolve) => {
      open = resolve
    })
    const slow: typeof fetch = async (input, init) => {
      await opened
      return fetch(input, init)
    }
    const options = { ...gateway.options, fetch: slow }
    const patient = codeOf(verifyMandateToken(gateway.sign(), options))
    const controller = new AbortController()
    const { signal } = controller
    const aborted = codeOf(verifyMandateToken(gateway.sign(), { ...options, signal }))
    controller.abort()
    expect(await aborted).toBe('aborted')
    open()
    expect(await patient).toBe('accepted')
    expect(gateway.paths).toHaveLength(1)
  })
})

test.each<[string, Partial<VerifyMandateTokenOptions>]>([
  ['an issuer with a path', { issuer: 'https://gateway.example/api' }],
  ['an issuer with a slash at its end', { issuer: 'https://gateway.example/' }],
  ['an issuer that is no address', { issuer: 'gateway' }],
  ['a plain http issuer elsewhere', { issuer: 'http://gateway.example' }],
  ['no audience', { audience: '' }],
  ['a leeway of an hour', { leewaySeconds: 3_600 }],
  ['a leeway that is no number', { leewaySeconds: Number.NaN }],
  ['a leeway that is a text', { leewaySeconds: '30' as never }],
  ['a leeway that is null', { leewaySeconds: null as never }],
  ['a time that is a text', { now: '0' as never }],
  ['a time that is no number', { now: Number.NaN }],
  ['constraints that are a text', { constraints: 'dev.purser.payee.1' as never }],
  ['a constraint that is no text', { constraints: [null as never] }],
  ['a fetch that is no function', { fetch: {} as never }],
  ['plain http that a text allows', { issuer: 'http://a.example', allowHttp: 'false' as never }],
])('%s is refused before any request', async (_name, change) => {
  expect(await codeOf(verifyMandateToken(scene.token, { ...scene.options, ...change }))).toBe(
    'options_invalid',
  )
  expect(scene.sent).toEqual([])
})
