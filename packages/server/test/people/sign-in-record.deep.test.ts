import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { toPublicId, toUuid } from '../../src/core/id.ts'
import { issueResetLink } from '../../src/operator/manage-members.ts'
import { accountOf } from '../../src/people/sign-in-limits.ts'
import { createTestApp, joinTestApp, type Owner, type TestApp } from '../support/app.ts'
import { sealAll } from '../support/audit-log.ts'
import { bodyOf } from '../support/builders.ts'
import { changesOf } from '../support/changes.ts'
import { usualEngine } from '../support/database.ts'
import { aBrowser, aMember, PASSWORD } from '../support/people.ts'
import {
  guess,
  HOME,
  OTHER,
  passQuarter,
  recorded,
  recordOf,
  STRANGER,
  stopClock,
  sumOf,
  trySignIn,
  WRONG,
  waitForStored,
} from '../support/sign-ins.ts'
import { waitUntil } from '../support/wait-until.ts'

let app: TestApp
let acme: Owner
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app?.stop())
beforeEach(async () => {
  stopClock(app)
  await app.rows('delete from sign_in_attempts')
  acme = await app.organization()
})

const notesOf = ({ organizationId }: Owner) =>
  app.rows('select 1 from sign_in_notes where organization_id = $1', [organizationId])

describe('a sign-in', () => {
  test('is recorded with account and address, by the member, and sealed', async () => {
    const ada = await aMember(app, acme)
    expect(await trySignIn(app, ada)).toBe(200)
    const [change, ...others] = await recorded(app, acme, 1)
    expect(others).toEqual([])
    expect(change).toMatchObject({
      operation: 'sign_in.succeeded',
      actor: { kind: 'member', name: ada.email },
      after: { memberId: ada.id, email: ada.email, addresses: [HOME], number: 1 },
    })
    expect(toPublicId('mem', change?.actor.id ?? '')).toBe(ada.id)
    await sealAll(app)
    const { data } = bodyOf(await acme.get('/audit-log?kind=change.sign_in.succeeded'))
    expect(data).toMatchObject([{ subject: change?.subjectId, actorId: ada.id }])
  })

  test('that is repeated is told again at the end of the quarter of an hour, with its number', async () => {
    const ada = await aMember(app, acme)
    await trySignIn(app, ada)
    await recorded(app, acme, 1)
    for (let at = 0; at < 3; at++) await trySignIn(app, ada)
    passQuarter(app)
    expect(await recorded(app, acme, 2)).toMatchObject([
      { after: { number: 1 } },
      { after: { number: 3 } },
    ])
    await waitUntil(async () => (await notesOf(acme)).length === 0)
  })

  test('with a link is recorded with its address', async () => {
    const ada = await aMember(app, acme)
    const organizationId = toPublicId('org', acme.organizationId)
    const wanted = { organizationId, email: ada.email }
    const { token } = await issueResetLink({ db: app.database.db }, wanted)
    const given = { token, password: OTHER }
    await aBrowser(app, { address: HOME }).post('/console/api/accept', given)
    const changes = await changesOf(app, acme)
    expect(changes.at(-1)).toMatchObject({
      operation: 'member.password_reset',
      after: { password: 'replaced', address: HOME },
    })
    const joined = changes.find(({ operation }) => operation === 'member.joined')
    expect(joined?.after).toMatchObject({ email: ada.email, address: '127.0.0.1' })
  })
})

describe('wrong passwords', () => {
  test('are one entry for an account and a quarter of an hour, with their number', async () => {
    const ada = await aMember(app, acme)
    const bob = await aMember(app, acme)
    await guess(app, ada, 3)
    await guess(app, ada, 2, HOME)
    await guess(app, bob, 1)
    await waitForStored(app, acme, 6)
    expect(await recordOf(app, acme)).toEqual([])
    passQuarter(app)
    const rows = await recorded(app, acme, 2)
    expect(rows).toHaveLength(2)
    const ofAda = rows.find(({ after }) => after?.['email'] === ada.email)
    expect(ofAda).toMatchObject({
      operation: 'sign_in.failed',
      actor: { kind: 'system' },
      after: { memberId: ada.id, number: 5 },
    })
    expect(new Set(ofAda?.after?.['addresses'] as string[])).toEqual(new Set([STRANGER, HOME]))
    expect(JSON.stringify(rows.map(({ after }) => after))).not.toContain(WRONG)
    expect(await notesOf(acme)).toEqual([])
  })

  test.runIf(usualEngine() === 'postgres')('are added up over gateways', async () => {
    const second = await joinTestApp(app)
    try {
      stopClock(second)
      const ada = await aMember(app, acme)
      await guess(app, ada, 2)
      await guess(second, ada, 3)
      await waitForStored(app, acme, 5)
      passQuarter(app)
      passQuarter(second)
      expect(await recorded(app, acme, 1)).toMatchObject([{ after: { number: 5 } }])
    } finally {
      await second.stop()
    }
    expect(await recordOf(app, acme)).toHaveLength(1)
  })

  test('of somebody who has signed in are recorded as well', async () => {
    const ada = await aMember(app, acme)
    await ada.post('/console/api/reauthenticate', { password: WRONG })
    await waitForStored(app, acme, 1)
    passQuarter(app)
    expect(await recorded(app, acme, 1)).toMatchObject([{ after: { memberId: ada.id, number: 1 } }])
  })
})

describe('a lock', () => {
  test('is recorded at once, with whom it is for and until when', async () => {
    const ada = await aMember(app, acme)
    await guess(app, ada, 13)
    const [change, ...others] = await recorded(app, acme, 1)
    expect(others).toEqual([])
    const after = { memberId: ada.id, email: ada.email, addresses: [STRANGER], scope: 'address' }
    expect(change).toMatchObject({ operation: 'sign_in.locked', actor: { kind: 'system' }, after })
    expect(change?.after?.['lockedUntil']).toMatch(/^\d{4}-.*Z$/)
  })

  test('for further addresses is told at the end of the quarter of an hour, with their number', async () => {
    const ada = await aMember(app, acme)
    await guess(app, ada, 11, '198.51.100.1')
    await recorded(app, acme, 1)
    for (const address of ['198.51.100.2', '198.51.100.3']) await guess(app, ada, 11, address)
    await waitForStored(app, acme, 33)
    expect(await recordOf(app, acme)).toHaveLength(1)
    passQuarter(app)
    await waitUntil(async () => (await sumOf(app, acme, 'sign_in.locked')) === 3)
    const locks = (await recordOf(app, acme)).filter(({ after }) => after?.['scope'] === 'address')
    expect(locks).toHaveLength(2)
  })

  test('that begins while its person comes in to another organization is recorded', async () => {
    const ada = await aMember(app, acme)
    const own = await aMember(app, await app.organization('Globex'), { email: ada.email })
    const change = { currentPassword: PASSWORD, newPassword: OTHER }
    bodyOf(await own.patch('/console/api/me', change))
    expect(await trySignIn(app, ada, { password: OTHER })).toBe(200)
    const memberId = toUuid('mem', ada.id) ?? ''
    const account = accountOf({ organizationId: acme.organizationId, memberId })
    await app.rows('update sign_in_attempts set count = 10 where starts_with(subject, $1)', [
      `${account} `,
    ])
    expect(await trySignIn(app, ada, { password: OTHER })).toBe(200)
    const after = { memberId: ada.id, scope: 'address' }
    expect(await recorded(app, acme, 1)).toMatchObject([{ operation: 'sign_in.locked', after }])
  })

  test('in a session is recorded', async () => {
    const ada = await aMember(app, acme)
    const again = () => ada.post('/console/api/reauthenticate', { password: WRONG })
    for (let at = 0; at < 11; at++) await again()
    const after = { scope: 'session', memberId: ada.id }
    expect(await recorded(app, acme, 1)).toMatchObject([{ operation: 'sign_in.locked', after }])
  })
})

describe('an address that is refused', () => {
  test('is recorded for the accounts that it asked for', async () => {
    const ada = await aMember(app, acme)
    const address = '198.51.100.77'
    await guess(app, { email: 'nobody@example.com' }, 1, address)
    await app.rows('update sign_in_attempts set count = 100')
    expect(await trySignIn(app, ada, { address })).toBe(429)
    expect(await trySignIn(app, ada, { address })).toBe(429)
    await waitForStored(app, acme, 2)
    passQuarter(app)
    const after = { memberId: ada.id, number: 2, addresses: [address] }
    expect(await recorded(app, acme, 1)).toMatchObject([{ operation: 'sign_in.refused', after }])
  })
})
