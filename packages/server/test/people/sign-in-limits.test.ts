import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { toPublicId, toUuid } from '../../src/core/id.ts'
import { issueResetLink } from '../../src/operator/manage-members.ts'
import { ATTEMPTS_PER_ACCOUNT, accountOf } from '../../src/people/sign-in-limits.ts'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { aBrowser, aMember, PASSWORD } from '../support/people.ts'

let app: TestApp
let acme: Owner
let globex: Owner
beforeAll(async () => {
  app = await createTestApp()
  acme = await app.organization()
  globex = await app.organization('Globex')
})
afterAll(() => app.stop())
beforeEach(async () => {
  await app.rows('delete from sign_in_attempts')
})

const WRONG = 'not the password'
const OTHER = 'a password of others'
const STRANGER = '203.0.113.7'

interface Try {
  readonly password?: string
  readonly address?: string
  readonly organization?: Owner
}

/** The status of an attempt to sign in. */
async function signIn(email: string, { password = PASSWORD, ...from }: Try = {}): Promise<number> {
  const { address = '127.0.0.1', organization } = from
  const organizationId = organization && toPublicId('org', organization.organizationId)
  const body = { email, password, ...(organizationId && { organizationId }) }
  return (await aBrowser(app, { address }).post('/console/api/sign-in', body)).status
}

async function guess(email: string, times: number, from: Try = {}): Promise<void> {
  for (let at = 0; at < times; at++)
    expect(await signIn(email, { password: WRONG, ...from })).toBe(401)
}

describe('attempts on an account', () => {
  test('are not forgotten because the address comes in elsewhere, with another password', async () => {
    const { email } = await aMember(app, acme)
    // Whoever owns an organization can make any address a member of it.
    const own = await aMember(app, globex, { email })
    const change = { currentPassword: PASSWORD, newPassword: OTHER }
    expect((await own.patch('/console/api/me', change)).status).toBe(200)
    await guess(email, 9)
    expect(await signIn(email, { password: OTHER })).toBe(200)
    await guess(email, 1)
    expect(await signIn(email)).toBe(401)
    expect(await signIn(email, { organization: acme })).toBe(401)
  })

  test('are not forgotten because its address is given another password elsewhere', async () => {
    const { email } = await aMember(app, acme)
    await aMember(app, globex, { email })
    await guess(email, 10)
    const organizationId = toPublicId('org', globex.organizationId)
    const { token } = await issueResetLink({ db: app.database.db }, { organizationId, email })
    const accepted = await aBrowser(app).post('/console/api/accept', { token, password: OTHER })
    expect(accepted.status).toBe(200)
    expect(await signIn(email, { organization: acme })).toBe(401)
    expect(await signIn(email, { password: OTHER, organization: globex })).toBe(200)
  })

  test('are none where somebody comes in to another organization, however often', async () => {
    const { email } = await aMember(app, acme)
    const own = await aMember(app, globex, { email })
    const change = { currentPassword: PASSWORD, newPassword: OTHER }
    expect((await own.patch('/console/api/me', change)).status).toBe(200)
    for (let at = 0; at < 12; at++) expect(await signIn(email, { password: OTHER })).toBe(200)
    expect(await signIn(email)).toBe(200)
  })

  test('are none where the password is right for both, and the other one is chosen', async () => {
    const { email } = await aMember(app, acme)
    await aMember(app, globex, { email })
    for (let at = 0; at < 12; at++) {
      expect(await signIn(email)).toBe(409)
      expect(await signIn(email, { organization: globex })).toBe(200)
    }
    expect(await signIn(email, { organization: acme })).toBe(200)
  })

  test('are passwords of another organization that were never tried before', async () => {
    const { email } = await aMember(app, acme)
    const own = await aMember(app, globex, { email })
    let currentPassword = PASSWORD
    for (let at = 0; at < 11; at++) {
      const newPassword = `guess number ${at} of many`
      const changed = await own.patch('/console/api/me', { currentPassword, newPassword })
      expect(changed.status, changed.text).toBe(200)
      currentPassword = newPassword
      expect(await signIn(email, { password: newPassword })).toBe(200)
    }
    expect(await signIn(email)).toBe(401)
    // A locked account has answered nothing, so nothing counts as tried there.
    const remembered = () =>
      app.rows("select 1 from sign_in_attempts where subject like '% tried %'")
    const before = (await remembered()).length
    await own.patch('/console/api/me', { currentPassword, newPassword: OTHER })
    expect(await signIn(email, { password: OTHER })).toBe(200)
    expect(await remembered()).toHaveLength(before)
  })

  test('from one address do not keep its person from coming in at another', async () => {
    const { email } = await aMember(app, acme)
    await guess(email, 12, { address: STRANGER })
    expect(await signIn(email, { address: STRANGER })).toBe(401)
    expect(await signIn(email)).toBe(200)
  })

  test('from many addresses lock it everywhere', async () => {
    const { id, email } = await aMember(app, acme)
    await guess(email, 1, { address: STRANGER })
    const { organizationId: ofAcme } = acme
    const account = accountOf({ organizationId: ofAcme, memberId: toUuid('mem', id) ?? '' })
    await app.rows('update sign_in_attempts set count = $1 where subject = $2', [
      ATTEMPTS_PER_ACCOUNT,
      account,
    ])
    expect(await signIn(email, { address: '198.51.100.1' })).toBe(401)
    const organizationId = toPublicId('org', acme.organizationId)
    const { token } = await issueResetLink({ db: app.database.db }, { organizationId, email })
    await aBrowser(app).post('/console/api/accept', { token, password: OTHER })
    for (const address of ['198.51.100.1', '127.0.0.1']) {
      expect(await signIn(email, { password: OTHER, address })).toBe(200)
    }
  })

  test('do not keep a member who has signed in from giving the password again', async () => {
    const ada = await aMember(app, acme)
    await guess(ada.email, 12)
    expect(await signIn(ada.email)).toBe(401)
    const given = await ada.post('/console/api/reauthenticate', { password: PASSWORD })
    expect(given.status, given.text).toBe(200)
  })

  test('with an open browser are counted as well', async () => {
    const ada = await aMember(app, acme)
    const again = (password: string) => ada.post('/console/api/reauthenticate', { password })
    for (let at = 0; at < 10; at++) expect((await again(WRONG)).status).toBe(401)
    expect((await again(PASSWORD)).body.code).toBe('wrong_credentials')
    expect(await signIn(ada.email)).toBe(200)
  })
})
