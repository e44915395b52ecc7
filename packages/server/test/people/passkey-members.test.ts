import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { anAuthenticator } from '../support/authenticator.ts'
import {
  AT_HOST,
  addPasskey,
  dataOf,
  PASSKEYS,
  registerOptions,
  sendPasskey,
  signInOptions,
  signInWith,
} from '../support/passkeys.ts'
import { aMember, PASSWORD, type Person } from '../support/people.ts'

const ME = '/console/api/me'
const REAUTHENTICATE = '/console/api/reauthenticate'
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
  acme = await app.organization('Acme')
  ada = await aMember(app, acme)
})

const list = async (person: Person) => dataOf<{ data: unknown[] }>(await person.get(PASSKEYS)).data

describe('a member with passkeys', () => {
  test('proves again with one of them who they are', async () => {
    const { authenticator } = await addPasskey(ada)
    app.clock.now = Date.now() + 6 * MINUTE_MS
    const invitation = { email: 'new@example.com', role: 'viewer' }
    const invite = () => ada.post('/console/api/invitations', invitation)
    expect((await invite()).body.code).toBe('reauthentication_required')
    const before = ada.cookie
    const credential = authenticator.get(await signInOptions(ada))
    expect((await ada.post(REAUTHENTICATE, { credential }, AT_HOST)).status).toBe(200)
    expect(ada.cookie).not.toBe(before)
    expect((await invite()).status).toBe(200)
  })

  test('cannot do that with the passkey of someone else, nor without any proof', async () => {
    const bob = await aMember(app, acme)
    const { authenticator } = await addPasskey(bob)
    const credential = authenticator.get(await signInOptions(ada))
    const other = await ada.post(REAUTHENTICATE, { credential }, AT_HOST)
    expect([other.status, other.body.code]).toEqual([401, 'wrong_credentials'])
    expect((await ada.post(REAUTHENTICATE, {})).body.code).toBe('validation_failed')
    const both = { password: PASSWORD, credential }
    expect((await ada.post(REAUTHENTICATE, both)).body.code).toBe('validation_failed')
    for (let at = 0; at < 11; at++) await ada.post(REAUTHENTICATE, { credential }, AT_HOST)
    expect((await ada.post(REAUTHENTICATE, { password: PASSWORD })).status).toBe(401)
  })

  test('loses them with the membership, and with the use of a reset link', async () => {
    const bob = await aMember(app, acme)
    const { authenticator } = await addPasskey(bob)
    await bob.post('/console/api/recovery-codes')
    const { token } = (await ada.post(`/console/api/members/${bob.id}/reset-link`)).body
    expect((await signInWith(app, authenticator)).answer.status).toBe(200)
    const accepted = { token, password: 'another long password' }
    await bob.post('/console/api/accept', accepted)
    expect((await signInWith(app, authenticator)).answer.status).toBe(401)
    expect(await list(bob)).toEqual([])
    expect(dataOf(await bob.get('/console/api/recovery-codes'))).toMatchObject({ left: 0 })

    const second = await addPasskey(bob)
    await bob.post('/console/api/recovery-codes')
    expect((await ada.delete(`/console/api/members/${bob.id}`)).status).toBe(200)
    expect((await signInWith(app, second.authenticator)).answer.status).toBe(401)
    const left = `select 1 from passkeys where organization_id = $1
                  union all select 1 from recovery_codes where organization_id = $1`
    expect(await app.rows(left, [acme.organizationId])).toEqual([])
  })

  test('adds none with a session that has ended, though this process does not know it yet', async () => {
    const credential = anAuthenticator().create(await registerOptions(ada))
    // Without a notification, as if a reset link had just been used in another process.
    await app.rows('delete from sessions where organization_id = $1', [acme.organizationId])
    const passkey = await sendPasskey(ada, credential)
    expect([passkey.status, passkey.body.code]).toEqual([401, 'unauthenticated'])
    const codes = await ada.post('/console/api/recovery-codes')
    expect([codes.status, codes.body.code]).toEqual([401, 'unauthenticated'])
    const left = `select 1 from passkeys where organization_id = $1
                  union all select 1 from recovery_codes where organization_id = $1`
    expect(await app.rows(left, [acme.organizationId])).toEqual([])
  })

  test('keeps them when they change their own password', async () => {
    const { authenticator } = await addPasskey(ada)
    const change = { currentPassword: PASSWORD, newPassword: 'another long password' }
    expect((await ada.patch(ME, change)).status).toBe(200)
    expect((await signInWith(app, authenticator)).answer.status).toBe(200)
  })
})
