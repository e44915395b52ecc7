import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { toPublicId } from '../../src/core/id.ts'
import { buildApp } from '../../src/process/server.ts'
import { createSealer } from '../../src/storage/secrets/sealed.ts'
import {
  type Answer,
  createTestApp,
  type Owner,
  TEST_CONFIG,
  type TestApp,
} from '../support/app.ts'
import { aBrowser, aMember, PASSWORD, signedInAgain } from '../support/people.ts'
import { waitUntil } from '../support/wait-until.ts'

/** Counts what every attempt costs. The library itself is real. */
const hashes = vi.hoisted(() => ({ made: 0 }))
vi.mock('@node-rs/argon2', async (original) => {
  const real = await original<typeof import('@node-rs/argon2')>()
  return {
    ...real,
    hash: (...parameters: Parameters<typeof real.hash>) => {
      hashes.made += 1
      return real.hash(...parameters)
    },
  }
})

let app: TestApp
let acme: Owner
beforeAll(async () => {
  app = await createTestApp()
  acme = await app.organization()
})
afterAll(() => app.stop())
beforeEach(async () => {
  await app.rows('delete from sign_in_attempts')
})

const trySignIn = (email: string, password = PASSWORD): Promise<Answer> =>
  aBrowser(app).post('/console/api/sign-in', { email, password })

/** The answer without what is different in every answer. */
const said = ({ status, headers, body }: Answer) => {
  const { requestId: _, ...rest } = body
  const { 'content-type': contentType, 'content-length': length } = headers
  return { ...rest, status, contentType, length }
}

describe('signing in', () => {
  test('gives a session, and says who it is of', async () => {
    const ada = await aMember(app, acme, { role: 'viewer', email: 'ada@example.com' })
    const browser = aBrowser(app)
    const answer = await browser.post('/console/api/sign-in', {
      email: ' Ada@Example.com ',
      password: PASSWORD,
    })
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({
      member: { id: ada.id, email: 'ada@example.com', role: 'viewer', createdBy: 'cli' },
      organization: { id: toPublicId('org', acme.organizationId), name: 'Acme' },
    })
    const me = await browser.get('/console/api/me')
    expect(me.body).toEqual(answer.body)
    expect(me.body.scopes).toContain('mandates:read')
    expect(me.body.scopes).not.toContain('keys:read')
  })

  test('keeps of a password only its argon2id hash, and of a session only a hash', async () => {
    // An app as a process builds it: other test apps use a cheaper hash.
    const sealer = createSealer(Buffer.alloc(32, 7))
    const storage = { db: app.database.db, sealer }
    const usual = await buildApp(storage, TEST_CONFIG, pino({ level: 'silent' }))
    onTestFinished(usual.stop)
    const bob = await aMember({ ...app, app: usual.app }, acme)
    const [stored] = await app.rows<{ secret: string }>(
      `select secret from authenticators a join members m on m.id = a.member_id where m.email = $1`,
      [bob.email],
    )
    expect(stored?.secret).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    const rows = await app.rows('select * from sessions')
    const secret = bob.cookie.split('.')[1] ?? ''
    expect(secret).toMatch(/^[\w-]{43}$/)
    expect(JSON.stringify(rows)).not.toContain(secret)
  })

  test('unknown, wrong, locked and removed cost one hash each and answer the same', async () => {
    const wrong = await aMember(app, acme)
    const locked = await aMember(app, acme)
    const removed = await aMember(app, acme)
    const owner = await aMember(app, acme)
    expect((await owner.delete(`/console/api/members/${removed.id}`)).status).toBe(200)
    for (let at = 0; at < 10; at++) await trySignIn(locked.email, 'not the password')
    const cases = {
      unknown: () => trySignIn('nobody@example.com'),
      wrong: () => trySignIn(wrong.email, 'not the password'),
      // The right one: even whoever has it must not learn that the account is there.
      locked: () => trySignIn(locked.email),
      removed: () => trySignIn(removed.email),
    }
    const answers = []
    for (const [name, attempt] of Object.entries(cases)) {
      const before = hashes.made
      const answer = await attempt()
      expect([name, hashes.made - before]).toEqual([name, 1])
      expect([name, answer.status]).toEqual([name, 401])
      expect(answer.headers['set-cookie']).toBeUndefined()
      answers.push(said(answer))
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(answers[0]).toMatchObject({ code: 'wrong_credentials' })
  })

  test('a lock ends after 15 minutes, and a right password before it begins anew', async () => {
    const eve = await aMember(app, acme)
    for (let at = 0; at < 9; at++) await trySignIn(eve.email, 'not the password')
    expect((await trySignIn(eve.email)).status).toBe(200)
    for (let at = 0; at < 10; at++) await trySignIn(eve.email, 'not the password')
    expect((await trySignIn(eve.email)).status).toBe(401)
    try {
      app.clock.now = Date.now() + 15 * 60_000 + 60_000
      expect((await trySignIn(eve.email)).status).toBe(200)
    } finally {
      app.clock.now = undefined
    }
  })

  test('an address that tries too often is refused, without a hash', async () => {
    const from = (email: string, address: string) =>
      aBrowser(app, { address }).post('/console/api/sign-in', { email, password: PASSWORD })
    await from('first@example.com', '2001:db8::1')
    await app.rows('update sign_in_attempts set count = 100')
    const before = hashes.made
    // Of the same network, in which a person has as many addresses as they like.
    const answer = await from('second@example.com', '2001:db8::2')
    expect(answer.body).toMatchObject({ code: 'rate_limited', limited: 'sign_in_per_address' })
    expect(answer.status).toBe(429)
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    expect(hashes.made - before).toBe(0)
    expect((await from('second@example.com', '2001:db8:0:1::2')).status).toBe(401)
  })

  test('asks for the organization only where the password is good for several', async () => {
    const globex = await app.organization('Globex')
    const email = 'both@example.com'
    await aMember(app, acme, { email })
    await aMember(app, globex, { email, role: 'viewer' })
    expect((await trySignIn(email, 'not the password')).status).toBe(401)
    const several = await trySignIn(email)
    expect([several.status, several.body.code]).toEqual([409, 'organization_required'])
    expect(several.body).toMatchObject({ organizationNames: ['Acme', 'Globex'] })
    const organizationId = toPublicId('org', globex.organizationId)
    const one = await aBrowser(app).post('/console/api/sign-in', {
      ...{ email, password: PASSWORD, organizationId },
    })
    expect([one.status, one.body.organization.name, one.body.member.role]).toEqual([
      200,
      'Globex',
      'viewer',
    ])
  })

  test('gives another secret than the browser came with, which is dead then', async () => {
    const mallory = await aMember(app, acme)
    const victim = await aMember(app, acme)
    // Somebody has put their own session into the victim's browser.
    const browser = aBrowser(app, { cookie: mallory.cookie })
    const body = { email: victim.email, password: PASSWORD }
    expect((await browser.post('/console/api/sign-in', body)).status).toBe(200)
    expect(browser.cookie).not.toBe(mallory.cookie)
    expect((await browser.get('/console/api/me')).body.member.id).toBe(victim.id)
    await waitUntil(async () => (await mallory.get('/console/api/me')).status === 401)
  })

  test('takes no secret that somebody has made up', async () => {
    const browser = aBrowser(app, { cookie: `purser_session=${'a'.repeat(14)}.${'b'.repeat(43)}` })
    expect((await browser.get('/console/api/me')).status).toBe(401)
    const known = await aMember(app, acme)
    const [publicId] = known.cookie.split('.')
    const guessed = aBrowser(app, { cookie: `${publicId}.${'b'.repeat(43)}` })
    expect((await guessed.get('/console/api/me')).status).toBe(401)
    expect((await known.get('/console/api/me')).status).toBe(200)
  })

  test('keeps the 20 newest sessions of a member', async () => {
    const busy = await aMember(app, acme)
    for (let at = 0; at < 20; at++) await signedInAgain(app, busy)
    await waitUntil(async () => (await busy.get('/console/api/me')).status === 401)
    const browser = await signedInAgain(app, busy)
    const { data } = (await browser.get('/console/api/sessions')).body
    expect(data).toHaveLength(20)
  })
})
