import { inspect } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { changesOf } from '../support/changes.ts'
import { dataOf } from '../support/passkeys.ts'
import { aBrowser, aMember, PASSWORD, type Person } from '../support/people.ts'
import { guess, recorded, STRANGER } from '../support/sign-ins.ts'

const CODES = '/console/api/recovery-codes'
const SIGN_IN = '/console/api/sign-in'
const MINUTE_MS = 60_000

let app: TestApp
let acme: Owner
let ada: Person
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app?.stop())
beforeEach(async () => {
  app.clock.now = undefined
  await app.rows('delete from sign_in_attempts')
  acme = await app.organization()
  ada = await aMember(app, acme)
})

const makeCodes = async (person: Person = ada) =>
  dataOf<{ codes: string[] }>(await person.post(CODES)).codes
const leftOf = async () => dataOf<{ left: number; createdAt: unknown }>(await ada.get(CODES))
const signIn = (recoveryCode: string, { email = ada.email, address = '127.0.0.1' } = {}) =>
  aBrowser(app, { address }).post(SIGN_IN, { email, recoveryCode })

describe('recovery codes', () => {
  test('are ten different ones, shown once, and the database has only hashes', async () => {
    expect(await leftOf()).toEqual({ left: 0, createdAt: null })
    const codes = await makeCodes()
    expect(new Set(codes).size).toBe(10)
    for (const code of codes)
      expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/)
    expect(await leftOf()).toMatchObject({ left: 10, createdAt: expect.any(String) })
    const rows = await app.rows<{ text: string }>('select c::text as text from recovery_codes c')
    const changes = (await changesOf(app, acme))
      .map((change) => inspect(change, { depth: 5 }))
      .join()
    for (const code of codes) {
      expect(rows.map(({ text }) => text).join()).not.toContain(code.replaceAll('-', ''))
      expect(changes).not.toContain(code)
    }
    expect(changes).toContain('member.recovery_codes_created')
  })

  test('sign in once each, also in lower case and without dashes', async () => {
    const [first = '', second = ''] = await makeCodes()
    const opened = await signIn(first)
    expect(opened.body.member).toMatchObject({ id: ada.id })
    expect((await signIn(first)).body.code).toBe('wrong_credentials')
    expect((await signIn(second.toLowerCase().replaceAll('-', ' '))).status).toBe(200)
    expect(await leftOf()).toMatchObject({ left: 8 })
    const changes = await recorded(app, acme, 1)
    expect(changes[0]?.after).toMatchObject({ method: 'recovery_code' })
  })

  test('let in one of two who send the same code at once', async () => {
    const [code = ''] = await makeCodes()
    const answers = await Promise.all([signIn(code), signIn(code)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401])
  })

  test('end when new ones are made, which needs the password', async () => {
    const [old = ''] = await makeCodes()
    const [code = ''] = await makeCodes()
    expect((await signIn(old)).status).toBe(401)
    expect((await signIn(code)).status).toBe(200)
    app.clock.now = Date.now() + 6 * MINUTE_MS
    expect((await ada.post(CODES)).body.code).toBe('reauthentication_required')
  })

  test('belong to one member, and to one organization of a person', async () => {
    const [code = ''] = await makeCodes()
    const bob = await aMember(app, acme)
    expect((await signIn(code, { email: bob.email })).status).toBe(401)
    const globex = await app.organization('Globex')
    await aMember(app, globex, { email: ada.email })
    expect((await signIn(code)).body.organization.name).not.toBe('Globex')
    // A code for one organization is no failed attempt at the other one.
    const counts = await app.rows<{ count: number }>('select count from sign_in_attempts')
    expect(counts.filter(({ count }) => count > 1)).toEqual([])
  })

  test('count against the same limits as passwords, for known and unknown accounts alike', async () => {
    const [code = ''] = await makeCodes()
    await guess(app, ada, 5)
    const wrong = '0000-0000-0000-0000'
    for (let at = 0; at < 6; at++) {
      const known = await signIn(wrong, { address: STRANGER })
      const unknown = await signIn(wrong, { address: STRANGER, email: 'nobody@example.com' })
      expect([known.status, known.body.detail]).toEqual([unknown.status, unknown.body.detail])
    }
    expect((await signIn(code, { address: STRANGER })).status).toBe(401)
    expect((await signIn(code)).status).toBe(200)
  })

  test('are sent instead of a password, not beside it', async () => {
    const [recoveryCode = ''] = await makeCodes()
    const both = { email: ada.email, password: PASSWORD, recoveryCode }
    expect((await aBrowser(app).post(SIGN_IN, both)).body.errors).toMatchObject([
      { path: '/recoveryCode', code: 'not_allowed' },
    ])
    expect((await aBrowser(app).post(SIGN_IN, { email: ada.email })).body.errors).toMatchObject([
      { path: '/password', code: 'required' },
    ])
  })
})
