import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type Owner, type TestApp } from '../../support/app.ts'
import {
  aKey,
  anActiveMandate,
  anAgent,
  DAY_MS,
  NO_AGENT,
  setSpent,
} from '../../support/builders.ts'
import {
  askForToken,
  createTokenApp,
  ISSUER,
  issueToken,
  readClaims,
} from '../../support/mandate-tokens.ts'
import { recordLog } from '../../support/recorded-log.ts'

let app: TestApp
let acme: Owner
let jwks: ReturnType<typeof createRemoteJWKSet>
const SHOP = 'https://shop.example'

beforeAll(async () => {
  app = await createTokenApp()
  acme = await app.organization()
  const url = await app.app.listen({ host: '127.0.0.1', port: 0 })
  jwks = createRemoteJWKSet(new URL(`${url}/.well-known/jwks.json`))
})
afterAll(() => app.stop())

/** As somebody outside verifies it, who knows nothing but the address of the gateway. */
const verify = (token: string, audience = SHOP) =>
  jwtVerify(token, jwks, { issuer: ISSUER, audience, algorithms: ['ES256'], typ: 'mandate+jwt' })

describe('a mandate token', () => {
  test('is verified from outside with the published keys alone', async () => {
    const { id: mandateId, agentId } = await anActiveMandate(acme)
    const issued = await issueToken(acme, { agentId, audience: `${SHOP}/` })
    const { payload } = await verify(issued.token)
    expect(payload).toMatchObject({
      iss: ISSUER,
      sub: agentId,
      aud: SHOP,
      jti: issued.jti,
      ver: 1,
      use: 'attestation',
      mandate: { id: mandateId, version: 1, validUntil: null },
      constraints: [{ type: 'dev.purser.payee.1', vendor: 'shop.example' }],
    })
    expect(decodeProtectedHeader(issued.token)).toEqual({
      alg: 'ES256',
      typ: 'mandate+jwt',
      kid: issued.kid,
    })
    expect(issued).toEqual({
      token: issued.token,
      tokenType: 'mandate+jwt',
      expiresAt: new Date((payload.exp ?? 0) * 1_000).toISOString(),
      jti: expect.stringMatching(/^mtk_[0-9a-f]{32}$/),
      kid: issued.kid,
      issuer: ISSUER,
      audience: SHOP,
      mandateId,
      mandateVersion: 1,
      jwksUri: `${ISSUER}/.well-known/jwks.json`,
    })
  })

  test('is refused from outside for another audience, issuer, type or algorithm, and after its end', async () => {
    const { agentId } = await anActiveMandate(acme)
    const { token } = await issueToken(acme, { agentId, audience: SHOP })
    await expect(verify(token, 'https://other.example')).rejects.toThrow('"aud"')
    await expect(jwtVerify(token, jwks, { issuer: 'https://other.example' })).rejects.toThrow(
      '"iss"',
    )
    await expect(jwtVerify(token, jwks, { typ: 'JWT' })).rejects.toThrow('"typ"')
    await expect(jwtVerify(token, jwks, { algorithms: ['RS256'] })).rejects.toThrow('alg')
    const currentDate = new Date(readClaims(token).exp * 1_000)
    await expect(jwtVerify(token, jwks, { currentDate })).rejects.toThrow('"exp"')
  })

  test('tells nobody outside of budget, rules, names or mandates above', async () => {
    const parent = await anActiveMandate(acme, { name: 'Treasury', budgetTotal: 98_765 })
    const { id: agentId } = await anAgent(acme, { name: 'Jo' })
    const rules = [{ type: 'amount', max: 4_321 }]
    const child = { agentId, parentMandateId: parent.id, budgetTotal: 12_345, rules }
    await anActiveMandate(acme, { ...child, name: 'Secret project' })
    const { token } = await issueToken(acme, { agentId, audience: SHOP })
    const claims = readClaims(token)
    expect(JSON.stringify(claims)).not.toContain(parent.id)
    // The digits and letters of ids and times may spell anything.
    const ids = { jti: '', sub: '', org: '', mandate: { ...claims.mandate, id: '', hash: '' } }
    const text = JSON.stringify({ ...claims, ...ids, iat: 0, nbf: 0, exp: 0 })
    expect(text).not.toMatch(/98765|12345|4321|Treasury|Jo|Secret|budget|USD/)
  })

  test('of two mandates that differ in their figures differs in ids, times and hash alone', async () => {
    const claimsOf = async (figure: number) => {
      const rules = [
        { type: 'amount', max: figure },
        { type: 'limit', maxAmount: figure, window: 'day' },
      ]
      const { agentId } = await anActiveMandate(acme, { budgetTotal: figure, rules })
      const { token } = await issueToken(acme, { agentId, audience: SHOP })
      const { mandate, ...rest } = readClaims(token)
      const unlike = { sub: '', jti: '', iat: 0, nbf: 0, exp: 0 }
      return { ...rest, ...unlike, mandate: { ...mandate, id: '', hash: mandate.hash.length } }
    }
    expect(await claimsOf(1)).toEqual(await claimsOf(987_654.321))
  })

  test('tells the gateway itself of the whole line, and an agent of its own mandate', async () => {
    const parent = await anActiveMandate(acme, {
      budgetTotal: 50,
      rules: [{ type: 'approval', above: 5 }],
    })
    const { id: agentId } = await anAgent(acme)
    await anActiveMandate(acme, { agentId, parentMandateId: parent.id, budgetTotal: 40 })
    await setSpent(app, parent.id, { spent: 45 })
    const { client } = await aKey(app, acme, { agentIds: [agentId] })
    const whole = readClaims((await issueToken(acme, { agentId })).token)
    const own = readClaims((await issueToken(client, { audience: ISSUER })).token)
    expect(whole).toMatchObject({
      aud: ISSUER,
      constraints: [{ type: 'dev.purser.approval.1', above: '5', currency: 'USD' }],
      budget: { limit: '50', remaining: '5' },
    })
    expect(own).toMatchObject({ aud: ISSUER, constraints: [], budget: { limit: '40' } })
    expect(own.mandate.hash).toBe(whole.mandate.hash)
  })

  test('lives as long as is asked for, and no longer than its mandate', async () => {
    const end = (await app.time.read(app.database.db)) + DAY_MS
    const { agentId } = await anActiveMandate(acme)
    const ending = await anActiveMandate(acme, { validUntil: new Date(end).toISOString() })
    const lifeOf = async (query: Record<string, string>) => {
      const { iat, nbf, exp } = readClaims((await issueToken(acme, query)).token)
      expect(nbf).toBe(iat)
      return { life: exp - iat, exp }
    }
    expect((await lifeOf({ agentId })).life).toBe(300)
    expect((await lifeOf({ agentId, ttl: '30' })).life).toBe(30)
    app.clock.now = end - 60_000
    const { exp } = await lifeOf({ agentId: ending.agentId, ttl: '900' })
    expect(exp).toBe(Math.floor(end / 1_000))
    app.clock.now = undefined
    expect((await askForToken(acme, { agentId, ttl: '29' })).status).toBe(400)
    expect((await askForToken(acme, { agentId, ttl: '901' })).status).toBe(400)
  })

  test('is kept by no cache and written to no log', async () => {
    const { log, lines } = recordLog('info')
    const told = await createTestApp(undefined, { publicUrl: ISSUER }, log)
    try {
      const client = await told.organization()
      const { agentId } = await anActiveMandate(client)
      const { headers, text } = await askForToken(client, { agentId, audience: SHOP })
      const { token, jti } = JSON.parse(text)
      expect(headers['cache-control']).toBe('no-store')
      const [line] = lines.filter(({ event }) => event === 'tokens.issued')
      expect(line).toMatchObject({ jti, audience: SHOP, agentId })
      const [, payload = '', signature = ''] = token.split('.')
      expect(JSON.stringify(lines)).not.toContain(payload)
      expect(JSON.stringify(lines)).not.toContain(signature)
    } finally {
      await told.stop()
    }
  })
})

describe('no token', () => {
  const problemOf = async (query: Record<string, string>, client = acme as Pick<Owner, 'get'>) => {
    const { status, body, text } = await client.get(
      `/gateway/mandate-token?${new URLSearchParams(query)}`,
    )
    return [status, body.code, JSON.parse(text).reason]
  }

  test('is issued while the mandate does not hold, and the answer says why', async () => {
    const { id, agentId } = await anActiveMandate(acme)
    const inactive = (reason: string) => [409, 'mandate_inactive', reason]
    await acme.patch(`/agents/${agentId}`, { status: 'paused' })
    expect(await problemOf({ agentId })).toEqual(inactive('agent_paused'))
    await acme.patch(`/agents/${agentId}`, { status: 'active' })
    await setSpent(app, id, { spent: 100 })
    expect(await problemOf({ agentId })).toEqual(inactive('exhausted'))
    const globex = await app.organization('Globex')
    const frozen = await anActiveMandate(globex)
    await globex.patch('/organization', { frozen: true })
    expect(await problemOf({ agentId: frozen.agentId }, globex)).toEqual(
      inactive('organization_frozen'),
    )
    const now = await app.time.read(app.database.db)
    const later = await anActiveMandate(acme, { validFrom: new Date(now + DAY_MS).toISOString() })
    expect(await problemOf({ agentId: later.agentId })).toEqual(inactive('not_started'))
    const ended = await anActiveMandate(acme, { validUntil: new Date(now + DAY_MS).toISOString() })
    app.clock.now = now + DAY_MS
    expect(await problemOf({ agentId: ended.agentId })).toEqual(inactive('expired'))
    app.clock.now = undefined
  })

  test('is issued for somebody whom a mandate of the line does not allow to be paid', async () => {
    const rules = [{ type: 'vendors', allow: ['*.shop.example'], block: ['ads.shop.example'] }]
    const parent = await anActiveMandate(acme, { rules })
    const { id: agentId } = await anAgent(acme)
    await anActiveMandate(acme, { agentId, parentMandateId: parent.id })
    const refused = [422, 'audience_not_allowed', undefined]
    expect(await problemOf({ agentId, audience: 'https://other.example' })).toEqual(refused)
    expect(await problemOf({ agentId, audience: 'https://ads.shop.example' })).toEqual(refused)
    expect(
      (await issueToken(acme, { agentId, audience: 'https://eu.shop.example' })).audience,
    ).toBe('https://eu.shop.example')
    expect((await issueToken(acme, { agentId })).audience).toBe(ISSUER)
  })

  test.each(['*', 'shop.example', 'http://shop.example', 'https://shop.example/a'])(
    'is issued for %s',
    async (audience) => {
      const { agentId } = await anActiveMandate(acme)
      expect((await problemOf({ agentId, audience }))[0]).toBe(400)
    },
  )

  test('is issued to a key for an agent that is not its own', async () => {
    const [own, other] = [await anActiveMandate(acme), await anActiveMandate(acme)]
    const { client } = await aKey(app, acme, { agentIds: [own.agentId] })
    expect((await issueToken(client, {})).mandateId).toBe(own.id)
    for (const agentId of [other.agentId, NO_AGENT]) {
      expect(await problemOf({ agentId }, client)).toEqual([404, 'agent_not_found', undefined])
    }
    const globex = await app.organization('Globex')
    expect((await problemOf({ agentId: own.agentId }, globex))[0]).toBe(404)
    expect((await problemOf({}))[0]).toBe(400)
    const { client: reader } = await aKey(app, acme, { scopes: ['agents:read'] })
    expect((await problemOf({ agentId: own.agentId }, reader))[0]).toBe(403)
  })

  test('is issued in production by a gateway that does not know its address', async () => {
    const live = await createTestApp(undefined, { environment: 'production' })
    try {
      const client = await live.organization()
      const { agentId } = await anActiveMandate(client)
      expect(await problemOf({ agentId }, client)).toEqual([422, 'public_url_missing', undefined])
      const asked = await client.post('/gateway/mandate-token/introspect', { token: 'a.b.c' })
      expect([asked.status, asked.body.code]).toEqual([422, 'public_url_missing'])
    } finally {
      await live.stop()
    }
  })
})
