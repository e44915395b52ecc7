import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { PASSKEYS_MAX } from '../../src/people/routes/passkeys.ts'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { anAuthenticator, map, text } from '../support/authenticator.ts'
import { changesOf } from '../support/changes.ts'
import {
  AT_HOST,
  addPasskey,
  dataOf,
  PASSKEY_SIGN_IN,
  PASSKEYS,
  registerOptions,
  sendPasskey,
  signInOptions,
  signInWith,
} from '../support/passkeys.ts'
import { aBrowser, aMember, PASSWORD, type Person } from '../support/people.ts'
import { HOME, recorded } from '../support/sign-ins.ts'
import { waitUntil } from '../support/wait-until.ts'

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
  await app.rows('delete from sign_in_attempts')
  acme = await app.organization('Acme')
  ada = await aMember(app, acme)
})

interface Listed {
  readonly data: readonly {
    readonly id: string
    readonly name: string
    readonly lastUsedAt: unknown
  }[]
}
const list = async (person: Person) => dataOf<Listed>(await person.get(PASSKEYS)).data

describe('a passkey', () => {
  test('is added, listed, used, renamed and removed by its owner, and each change is recorded', async () => {
    const { id, authenticator } = await addPasskey(ada)
    expect(await list(ada)).toMatchObject([{ id, name: 'Laptop', synced: true, lastUsedAt: null }])
    const { answer, browser } = await signInWith(app, authenticator)
    expect(answer.body.member).toMatchObject({ id: ada.id, email: ada.email })
    expect((await browser.get(ME)).status).toBe(200)
    expect((await list(ada))[0]?.lastUsedAt).not.toBeNull()
    expect((await ada.patch(`${PASSKEYS}/${id}`, { name: 'Phone' })).body.name).toBe('Phone')
    expect((await ada.delete(`${PASSKEYS}/${id}`)).body).toMatchObject({ id, removed: true })
    expect(await list(ada)).toEqual([])
    expect((await signInWith(app, authenticator)).answer.body.code).toBe('wrong_credentials')
    const [laptop, phone] = [
      { passkey: { id, name: 'Laptop' } },
      { passkey: { id, name: 'Phone' } },
    ]
    const changes = (await changesOf(app, acme)).filter(({ operation }) =>
      /passkey/.test(operation),
    )
    expect(changes).toMatchObject([
      { operation: 'member.passkey_added', subjectId: ada.id, before: {}, after: laptop },
      { operation: 'member.passkey_renamed', subjectId: ada.id, before: laptop, after: phone },
      { operation: 'member.passkey_removed', subjectId: ada.id, before: phone, after: {} },
    ])
  })

  test('has a name in the browser that tells the organizations of a person apart', async () => {
    const { user } = await registerOptions(ada)
    expect(user.name).toBe(`${ada.email} (Acme)`)
  })

  test('of another member is not found', async () => {
    const { id } = await addPasskey(ada)
    const bob = await aMember(app, acme)
    expect((await bob.patch(`${PASSKEYS}/${id}`, { name: 'Mine' })).body.code).toBe(
      'passkey_not_found',
    )
    expect((await bob.delete(`${PASSKEYS}/${id}`)).body.code).toBe('passkey_not_found')
  })

  test('is added only shortly after the password, but removed at any time', async () => {
    const { id } = await addPasskey(ada)
    app.clock.now = Date.now() + 6 * MINUTE_MS
    const late = await ada.post(`${PASSKEYS}/register-options`, undefined, AT_HOST)
    expect(late.body.code).toBe('reauthentication_required')
    expect((await ada.delete(`${PASSKEYS}/${id}`)).status).toBe(200)
  })

  test('is not added at an IP address', async () => {
    const headers = { host: '127.0.0.1:3000' }
    const answer = await ada.post(`${PASSKEYS}/register-options`, undefined, headers)
    expect([answer.status, answer.body.code]).toEqual([422, 'passkeys_unavailable'])
    expect(answer.body.detail).toContain('http://localhost')
    const signIn = await aBrowser(app).post(`${PASSKEY_SIGN_IN}-options`, undefined, headers)
    expect(signIn.body.code).toBe('passkeys_unavailable')
  })

  test(`is not added beyond ${PASSKEYS_MAX}`, async () => {
    const { organizationId } = acme
    const credential = anAuthenticator().create(await registerOptions(ada))
    await app.rows(
      `insert into passkeys (organization_id, id, member_id, credential_id, public_key, name,
                             transports, is_synced, created_at, sign_count)
       select $1, gen_random_uuid(), m.id, n::text, '\\x00', 'Key', '{}', false, now(), 0
       from members m, generate_series(1, ${PASSKEYS_MAX}) n where m.organization_id = $1`,
      [organizationId],
    )
    const options = await ada.post(`${PASSKEYS}/register-options`, undefined, AT_HOST)
    expect([options.status, options.body.code]).toEqual([409, 'passkey_limit_reached'])
    expect((await sendPasskey(ada, credential)).body.code).toBe('passkey_limit_reached')
  })
})

describe('a new passkey is refused', () => {
  const refusalOf = async (credential: unknown) => (await sendPasskey(ada, credential)).body.code

  test.each([
    ['from a page at a different origin', { origin: 'http://localhost:5000' }],
    ['for a different host', { host: 'evil.example' }],
    ['without the fingerprint or PIN of its owner', { isUnlocked: false }],
    [
      'with a certificate, whose revocation list would be fetched',
      {
        attestation: {
          fmt: 'packed',
          statement: map([[text('x5c'), Buffer.of(0x80)]]),
        },
      },
    ],
  ])('%s', async (_, behaviour) => {
    const credential = anAuthenticator().create(await registerOptions(ada), behaviour)
    expect(await refusalOf(credential)).toBe('passkey_refused')
    expect(await list(ada)).toEqual([])
  })

  test('if its challenge was used, expired, made up, or meant for someone or something else', async () => {
    const authenticator = anAuthenticator()
    const options = await registerOptions(ada)
    expect((await sendPasskey(ada, authenticator.create(options))).status).toBe(200)
    expect(await refusalOf(anAuthenticator().create(options))).toBe('passkey_refused')
    const made = { challenge: Buffer.alloc(64, 1).toString('base64url') }
    expect(await refusalOf(anAuthenticator().create(made))).toBe('passkey_refused')
    const bob = await aMember(app, acme)
    const ofBob = anAuthenticator().create(await registerOptions(bob))
    expect(await refusalOf(ofBob)).toBe('passkey_refused')
    const ofSignIn = anAuthenticator().create(await signInOptions(ada))
    expect(await refusalOf(ofSignIn)).toBe('passkey_refused')
    const old = anAuthenticator().create(await registerOptions(ada))
    app.clock.now = Date.now() + 5 * MINUTE_MS
    const again = await ada.post(REAUTHENTICATE, { password: PASSWORD })
    expect(again.status).toBe(200)
    expect(await refusalOf(old)).toBe('passkey_refused')
  })
})

describe('a sign-in with a passkey', () => {
  test('is refused if its answer was sent before, by whichever process', async () => {
    const { authenticator } = await addPasskey(ada)
    const browser = aBrowser(app)
    const credential = authenticator.get(await signInOptions(browser))
    const answers = await Promise.all(
      [1, 2, 3].map(() => aBrowser(app).post(PASSKEY_SIGN_IN, { credential }, AT_HOST)),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401])
  })

  test.each([
    ['at a different origin', { origin: 'https://evil.example' }],
    ['for a different host', { host: 'evil.example' }],
    ['without the fingerprint or PIN of its owner', { isUnlocked: false }],
    ['that names a different member', { userHandle: Buffer.alloc(32, 7).toString('base64url') }],
    ['that names nobody', { userHandle: '' }],
  ])('is refused %s', async (_, behaviour) => {
    const { authenticator } = await addPasskey(ada)
    const credential = authenticator.get(await signInOptions(ada), behaviour)
    const answer = await aBrowser(app).post(PASSKEY_SIGN_IN, { credential }, AT_HOST)
    expect([answer.status, answer.body.code]).toEqual([401, 'wrong_credentials'])
  })

  test('is refused with the key of a different authenticator', async () => {
    const { authenticator } = await addPasskey(ada)
    const forged = anAuthenticator().get(await signInOptions(ada))
    const { userHandle } = authenticator.get({ challenge: '' }).response
    const credential = {
      ...forged,
      ...{ id: authenticator.id, rawId: authenticator.rawId },
      response: { ...forged.response, userHandle },
    }
    const answer = await aBrowser(app).post(PASSKEY_SIGN_IN, { credential }, AT_HOST)
    expect(answer.status).toBe(401)
  })

  test('is refused if the count of the authenticator does not grow: it is a copy', async () => {
    const counting = anAuthenticator({ counts: true })
    const { authenticator } = await addPasskey(ada, 'Key', counting)
    expect((await signInWith(app, authenticator)).answer.status).toBe(200)
    authenticator.setCount(1)
    expect((await signInWith(app, authenticator)).answer.status).toBe(401)
    authenticator.setCount(7)
    expect((await signInWith(app, authenticator)).answer.status).toBe(200)
  })

  test('is recorded with its method', async () => {
    const { authenticator } = await addPasskey(ada)
    await signInWith(app, authenticator, { address: HOME })
    const [change] = await recorded(app, acme, 1)
    expect(change).toMatchObject({
      operation: 'sign_in.succeeded',
      after: { memberId: ada.id, addresses: [HOME], method: 'passkey' },
    })
  })

  test('works while strangers have locked the password, and is locked by its own failures', async () => {
    const { authenticator } = await addPasskey(ada)
    const wrong = { email: ada.email, password: 'not the password' }
    for (let at = 0; at < 11; at++) await aBrowser(app).post('/console/api/sign-in', wrong)
    const right = { email: ada.email, password: PASSWORD }
    expect((await aBrowser(app).post('/console/api/sign-in', right)).status).toBe(401)
    expect((await signInWith(app, authenticator)).answer.status).toBe(200)
    const { userHandle } = authenticator.get({ challenge: '' }).response
    for (let at = 0; at < 11; at++) {
      const credential = anAuthenticator().get({ challenge: 'x' }, { userHandle })
      await aBrowser(app).post(PASSKEY_SIGN_IN, { credential }, AT_HOST)
    }
    expect((await signInWith(app, authenticator)).answer.status).toBe(401)
    const elsewhere = await signInWith(app, authenticator, { address: HOME })
    expect(elsewhere.answer.status).toBe(200)
    const locks = async () =>
      (await changesOf(app, acme)).filter(({ operation }) => operation === 'sign_in.locked')
    await waitUntil(async () => (await locks()).length === 2)
  })

  test('counts against the limit of the network address', async () => {
    const credential = anAuthenticator().get({ challenge: 'x' })
    await app.rows(`update sign_in_attempts set count = 0`)
    const address = '203.0.113.99'
    const browser = aBrowser(app, { address })
    let status = 0
    for (let at = 0; at < 101 && status !== 429; at++) {
      status = (await browser.post(PASSKEY_SIGN_IN, { credential }, AT_HOST)).status
    }
    expect(status).toBe(429)
  })
})
