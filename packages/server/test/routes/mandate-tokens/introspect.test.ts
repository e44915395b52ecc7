import { createHmac } from 'node:crypto'
import { createLocalJWKSet, generateKeyPair, jwtVerify, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Owner, TestApp } from '../../support/app.ts'
import { aKey, anActiveMandate, anAgent, bodyOf, setSpent } from '../../support/builders.ts'
import {
  createTokenApp,
  ISSUER,
  introspect,
  issueToken,
  readClaims,
} from '../../support/mandate-tokens.ts'
import { dumpTables } from '../../support/tables.ts'

let app: TestApp
let acme: Owner
const SHOP = 'https://shop.example'
const INACTIVE = { active: false }

beforeAll(async () => {
  app = await createTokenApp()
  acme = await app.organization()
})
afterAll(() => app.stop())

const publishedKeys = async () => JSON.parse((await app.app.inject('/.well-known/jwks.json')).body)

describe('a living token', () => {
  test('is told with its claims and what is left now', async () => {
    const { id, agentId } = await anActiveMandate(acme)
    const { token } = await issueToken(acme, { agentId })
    await setSpent(app, id, { spent: 60 })
    const { active, claims, budget } = await introspect(acme, token)
    expect({ active, claims }).toEqual({ active: true, claims: readClaims(token) })
    expect(claims?.budget?.remaining).toBe('100')
    expect(budget).toMatchObject({ limit: 100, remaining: 40 })
  })

  test('is told with what a spend would be answered, and nothing is held or recorded', async () => {
    const { agentId } = await anActiveMandate(acme, { rules: [{ type: 'amount', max: 25 }] })
    const { token } = await issueToken(acme, { agentId, audience: SHOP })
    const before = await dumpTables(app.database.db)
    const proposed = { amount: 26, vendor: 'shop.example', category: 'office' }
    const no = await introspect(acme, token, proposed)
    expect(no.proposed).toMatchObject({
      decision: 'rejected',
      code: 'amount_above_max',
      next: { maxAmountNow: 25 },
    })
    const yes = await introspect(acme, token, { amount: 25, vendor: 'shop.example', path: 'acp' })
    expect(yes.proposed).toMatchObject({ decision: 'approved', code: 'approved' })
    expect(await dumpTables(app.database.db)).toBe(before)
  })

  test('tells a key that is bound to its agent nothing of the mandates above', async () => {
    const parent = await anActiveMandate(acme, { budgetTotal: 50 })
    const { id: agentId } = await anAgent(acme)
    await anActiveMandate(acme, { agentId, parentMandateId: parent.id, budgetTotal: 40 })
    await setSpent(app, parent.id, { spent: 43 })
    const { client } = await aKey(app, acme, { agentIds: [agentId] })
    const { token } = await issueToken(client, { audience: SHOP })
    const proposed = { amount: 9, vendor: 'shop.example' }
    const whole = await introspect(acme, token, proposed)
    expect(whole.budget).toMatchObject({ limit: 50, remaining: 7 })
    expect(whole.proposed?.next.maxAmountNow).toBe(7)
    const own = await introspect(client, token, proposed)
    expect(own.budget).toMatchObject({ limit: 40, remaining: 40 })
    expect(own.proposed).toMatchObject({ decision: 'rejected', next: { maxAmountNow: null } })
    expect(JSON.stringify(own)).not.toContain(parent.id)
  })

  test('is told only to its organization, and to keys that act for its agent', async () => {
    const [one, other] = [await anActiveMandate(acme), await anActiveMandate(acme)]
    const { token } = await issueToken(acme, { agentId: one.agentId, audience: SHOP })
    const { client } = await aKey(app, acme, { agentIds: [other.agentId] })
    const globex = await app.organization('Globex')
    expect(await introspect(client, token)).toEqual(INACTIVE)
    expect(await introspect(globex, token)).toEqual(INACTIVE)
    expect(await introspect(acme, token)).toMatchObject({ active: true })
  })
})

describe('a token that holds no more', () => {
  test('has expired by the clock of the database', async () => {
    const { agentId } = await anActiveMandate(acme)
    const { token } = await issueToken(acme, { agentId, ttl: '30' })
    const { exp } = readClaims(token)
    app.clock.now = exp * 1_000 - 1
    expect(await introspect(acme, token)).toMatchObject({ active: true })
    app.clock.now = exp * 1_000
    expect(await introspect(acme, token)).toEqual(INACTIVE)
    app.clock.now = undefined
  })

  test.each([
    [
      'its mandate was changed',
      (_: string, id: string) => acme.patch(`/mandates/${id}`, { name: 'Other' }),
    ],
    [
      'its budget was changed',
      (_: string, id: string) => acme.patch(`/mandates/${id}/budget`, { budgetTotal: 90 }),
    ],
    ['its mandate was revoked', (_: string, id: string) => acme.post(`/mandates/${id}/revoke`)],
    [
      'its agent was paused',
      (agentId: string) => acme.patch(`/agents/${agentId}`, { status: 'paused' }),
    ],
    ['its agent was deleted', (agentId: string) => acme.delete(`/agents/${agentId}`)],
  ])('because %s', async (_, change) => {
    const { id, agentId } = await anActiveMandate(acme)
    const { token } = await issueToken(acme, { agentId, audience: SHOP })
    expect(await introspect(acme, token)).toMatchObject({ active: true })
    bodyOf(await change(agentId, id))
    expect(await introspect(acme, token)).toEqual(INACTIVE)
  })

  test('because a mandate above was narrowed', async () => {
    const parent = await anActiveMandate(acme)
    const { id: agentId } = await anAgent(acme)
    await anActiveMandate(acme, { agentId, parentMandateId: parent.id })
    const { token } = await issueToken(acme, { agentId, audience: SHOP })
    bodyOf(await acme.patch(`/mandates/${parent.id}`, { rules: [{ type: 'amount', max: 1 }] }))
    expect(await introspect(acme, token)).toEqual(INACTIVE)
    const { token: fresh } = await issueToken(acme, { agentId, audience: SHOP })
    expect(await introspect(acme, fresh)).toMatchObject({ active: true })
  })

  test('because the organization was frozen, until it is not', async () => {
    const globex = await app.organization('Globex')
    const { agentId } = await anActiveMandate(globex)
    const { token } = await issueToken(globex, { agentId, audience: SHOP })
    await globex.patch('/organization', { frozen: true })
    expect(await introspect(globex, token)).toEqual(INACTIVE)
    await globex.patch('/organization', { frozen: false })
    expect(await introspect(globex, token)).toMatchObject({ active: true })
  })
})

describe('what is no token of ours', () => {
  test('is a token with any single character changed, also for those who verify it offline', async () => {
    const { agentId } = await anActiveMandate(acme)
    const { token } = await issueToken(acme, { agentId, audience: SHOP })
    const jwks = createLocalJWKSet(await publishedKeys())
    const isTaken = (text: string) =>
      jwtVerify(text, jwks, { issuer: ISSUER, audience: SHOP, typ: 'mandate+jwt' }).then(
        () => true,
        () => false,
      )
    expect(await isTaken(token)).toBe(true)
    const changed = [...token].map((letter, at) => {
      const other = letter === 'A' ? 'Q' : 'A'
      return `${token.slice(0, at)}${other}${token.slice(at + 1)}`
    })
    // The last letter has bits that stand for nothing; 'A' and 'Q' differ in those that do.
    for (const text of changed) expect(await isTaken(text)).toBe(text === token)
    const some = changed.filter((text, at) => text !== token && at % 29 === 0)
    for (const text of some) expect(await introspect(acme, text)).toEqual(INACTIVE)
  })

  test('is another spelling of the same signature', async () => {
    const { agentId } = await anActiveMandate(acme)
    const { token } = await issueToken(acme, { agentId, audience: SHOP })
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const last = alphabet.indexOf(token.at(-1) ?? '')
    const spelled = `${token.slice(0, -1)}${alphabet[last + 1]}`
    const bytesOf = (text: string) => Buffer.from(text.split('.')[2] ?? '', 'base64url')
    expect(bytesOf(spelled).equals(bytesOf(token))).toBe(true)
    expect(await introspect(acme, spelled)).toEqual(INACTIVE)
  })

  test('is a token with other claims, another algorithm or another type', async () => {
    const { agentId } = await anActiveMandate(acme)
    const { token, kid } = await issueToken(acme, { agentId, audience: SHOP })
    const [head = '', payload = '', signature = ''] = token.split('.')
    const { keys } = await publishedKeys()
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const claims = { ...readClaims(token) }
    const pair = await generateKeyPair('ES256')
    const header = { alg: 'ES256', typ: 'mandate+jwt', kid }
    const hmacHead = encode({ ...header, alg: 'HS256' })
    const hmac = createHmac('sha256', JSON.stringify(keys[0])).update(`${hmacHead}.${payload}`)
    const forged = [
      `${head}.${encode({ ...claims, exp: claims.exp + 600 })}.${signature}`,
      `${head}.${encode({ ...claims, sub: claims.org })}.${signature}`,
      `${encode({ ...header, typ: 'JWT' })}.${payload}.${signature}`,
      `${encode({ alg: 'none', typ: 'mandate+jwt' })}.${payload}.`,
      `${encode({ alg: 'none', typ: 'mandate+jwt' })}.${payload}.${signature}`,
      `${hmacHead}.${payload}.${hmac.digest('base64url')}`,
      await new SignJWT(claims).setProtectedHeader(header).sign(pair.privateKey),
      `${token}=`,
      ` ${token}`,
      `${token}.`,
      'x',
      'a.b.c',
      '...',
    ]
    for (const text of forged) expect(await introspect(acme, text)).toEqual(INACTIVE)
    expect(await introspect(acme, token)).toMatchObject({ active: true })
  })

  test('is refused as a mistake where the question itself is one', async () => {
    const ask = (body: object) => acme.post('/gateway/mandate-token/introspect', body)
    expect((await ask({})).status).toBe(400)
    expect((await ask({ token: 'x'.repeat(16_385) })).status).toBe(400)
    const proposed = { amount: 1, vendor: 'not a host', category: '!' }
    const { status, body } = await ask({ token: 'a.b.c', proposed })
    expect(status).toBe(400)
    expect(body.errors.map(({ path }) => path)).toEqual(['/proposed/vendor', '/proposed/category'])
  })
})
