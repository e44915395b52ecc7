import { calculateJwkThumbprint, createLocalJWKSet, jwtVerify } from 'jose'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readConfig } from '../../src/process/config.ts'
import { sealedValues } from '../../src/process/sealed-values.ts'
import { resealAll } from '../../src/storage/secrets/reseal.ts'
import { createSealer } from '../../src/storage/secrets/sealed.ts'
import { createKeyRing } from '../../src/tokens/key-ring.ts'
import { rotateSigningKey } from '../../src/tokens/signing-keys.ts'
import { joinTestApp, type Owner, type TestApp } from '../support/app.ts'
import { anActiveMandate } from '../support/builders.ts'
import { describeOnPostgres } from '../support/database.ts'
import { createTokenApp, ISSUER, introspect, issueToken } from '../support/mandate-tokens.ts'
import { dumpTables } from '../support/tables.ts'
import { watchDatabase } from '../support/watched-database.ts'

const sealer = createSealer(Buffer.alloc(32, 7))
let app: TestApp
let acme: Owner
beforeEach(async () => {
  app = await createTokenApp()
  acme = await app.organization()
})
afterEach(() => app.stop())

const publishedBy = async (of: TestApp) => (await of.app.inject('/.well-known/jwks.json')).json()
const kidsOf = async (of: TestApp) =>
  (await publishedBy(of)).keys.map(({ kid }: { kid: string }) => kid)
const rotate = () => rotateSigningKey({ db: app.database.db, sealer })

describe('the published keys', () => {
  test('hold public members alone, under their thumbprints, for five minutes', async () => {
    const answer = await app.app.inject('/.well-known/jwks.json')
    expect(answer.headers['cache-control']).toBe('public, max-age=300')
    const { keys } = answer.json()
    expect(keys).toHaveLength(1)
    expect(Object.keys(keys[0]).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'])
    expect(keys[0]).toMatchObject({ alg: 'ES256', use: 'sig', kty: 'EC', crv: 'P-256' })
    expect(keys[0].kid).toBe(await calculateJwkThumbprint(keys[0]))
    const headers = { 'if-none-match': String(answer.headers.etag) }
    const again = await app.app.inject({ url: '/.well-known/jwks.json', headers })
    expect([again.statusCode, again.body]).toEqual([304, ''])
  })

  test('are read once, however many ask, and once for all names that somebody makes up', async () => {
    const sent: string[] = []
    const db = watchDatabase(app.database.db, (text) => sent.push(text))
    const { read: clock, estimate: now } = app.time
    const ring = createKeyRing({ db, sealer, clock, now })
    app.clock.now = await clock(app.database.db)
    await Promise.all(Array.from({ length: 20 }, () => ring.published()))
    const reads = () => sent.filter((text) => text.includes('from signing_keys')).length
    const first = reads()
    for (let count = 0; count < 50; count++) await ring.find(`made-up-${count}`)
    expect(reads()).toBe(first)
    app.clock.now += 6_000
    for (let count = 0; count < 50; count++) await ring.find(`made-up-${count}`)
    expect(reads()).toBe(first + 1)
  })
})

describe('a new signing key', () => {
  test('is published at once and signs once everybody knows it; the old one outlives its tokens', async () => {
    const { agentId } = await anActiveMandate(acme)
    const [old] = await kidsOf(app)
    const { kid, signsFrom, publishedUntil } = await rotate()
    app.clock.now = signsFrom - 1
    expect(await kidsOf(app)).toEqual([old, kid])
    const before = await issueToken(acme, { agentId, ttl: '900' })
    expect(before.kid).toBe(old)
    app.clock.now = signsFrom
    const during = await issueToken(acme, { agentId })
    expect(during.kid).toBe(kid)
    const jwks = createLocalJWKSet(await publishedBy(app))
    const currentDate = new Date(signsFrom)
    for (const { token } of [before, during]) {
      await jwtVerify(token, jwks, { issuer: ISSUER, currentDate })
      expect(await introspect(acme, token)).toMatchObject({ active: true })
    }
    app.clock.now = publishedUntil - 1
    expect(await kidsOf(app)).toEqual([old, kid])
    app.clock.now = publishedUntil
    expect(await kidsOf(app)).toEqual([kid])
    expect(await introspect(acme, before.token)).toEqual({ active: false })
    expect(await app.rows('select kid from signing_keys')).toHaveLength(2)
  })

  test('waits longer than anybody may keep the keys, and the old one longer than that and a token', async () => {
    await kidsOf(app)
    const at = await app.time.read(app.database.db)
    const { signsFrom, publishedUntil } = await rotate()
    expect(signsFrom - at).toBeGreaterThanOrEqual(360_000)
    expect(publishedUntil - signsFrom).toBeGreaterThanOrEqual(1_200_000)
  })

  test('is not made while another one waits to sign', async () => {
    await kidsOf(app)
    await rotate()
    await expect(rotate()).rejects.toThrow('Nothing was changed')
    expect(await app.rows('select 1 from signing_keys')).toHaveLength(2)
  })

  test('is found for a token of it by a process that has not read it yet', async () => {
    const { agentId } = await anActiveMandate(acme)
    const { read: clock, estimate: now } = app.time
    const ring = createKeyRing({ db: app.database.db, sealer, clock, now })
    const at = await clock(app.database.db)
    app.clock.now = at
    await ring.published()
    const { kid } = await rotate()
    app.clock.now = at + 10_000
    expect(await ring.find(kid)).toMatchObject({ kid })
    expect((await issueToken(acme, { agentId })).kid).not.toBe(kid)
  })
})

describe('the private keys', () => {
  test('are nowhere in the database as they are, and move to another master key', async () => {
    const { agentId } = await anActiveMandate(acme)
    const { token } = await issueToken(acme, { agentId })
    const dump = await dumpTables(app.database.db)
    expect(dump).not.toMatch(/"d":/)
    expect(dump).not.toContain(token.split('.')[2])
    const next = createSealer(Buffer.alloc(32, 9), [Buffer.alloc(32, 7)])
    const { db } = app.database
    const { unreadable } = await resealAll({
      db,
      sealer: next,
      kinds: sealedValues(readConfig({})),
    })
    expect(unreadable).toBe(0)
    const { read: clock, estimate: now } = app.time
    const only = createSealer(Buffer.alloc(32, 9))
    const { key } = await createKeyRing({ db, sealer: only, clock, now }).signer()
    expect([key.kid]).toEqual(await kidsOf(app))
  })
})

describeOnPostgres('several processes', () => {
  test('that begin at once make one key and one secret, and take the tokens of each other', async () => {
    const others = await Promise.all([1, 2, 3].map(() => joinTestApp(app, { publicUrl: ISSUER })))
    try {
      const all = [app, ...others]
      const sets = await Promise.all(all.map(kidsOf))
      expect(new Set(sets.flat()).size).toBe(1)
      expect(await app.rows('select 1 from installation_secrets')).toHaveLength(1)
      const { agentId } = await anActiveMandate(acme)
      const { token } = await issueToken(acme, { agentId })
      for (const one of others) {
        expect(await introspect(one.client(acme.apiKey), token)).toMatchObject({ active: true })
      }
      await acme.post('/gateway/mandate-token/revoke', { agentId })
      for (const one of others) {
        expect(await introspect(one.client(acme.apiKey), token)).toEqual({ active: false })
      }
    } finally {
      for (const one of others) await one.stop()
    }
  })
})
