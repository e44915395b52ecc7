import { expect, test } from 'vitest'
import { toPublicId } from '../../src/core/id.ts'
import {
  dismissMember,
  inviteMember,
  issueResetLink,
  readMembers,
} from '../../src/operator/manage-members.ts'
import { createSetupLink } from '../../src/people/links.ts'
import { prepareSetup } from '../../src/people/prepare-setup.ts'
import { hasSetup, removeEndedInvitations } from '../../src/storage/people/invitations.ts'
import { removeEndedSessions } from '../../src/storage/people/session-ends.ts'
import { removeEndedAttempts } from '../../src/storage/people/sign-in-attempts.ts'
import { anActiveMandate } from '../support/builders.ts'
import { changesOf } from '../support/changes.ts'
import { createTemporaryFolder } from '../support/database.ts'
import {
  AT_HOST,
  addPasskey,
  dataOf,
  PASSKEYS,
  signInOptions,
  signInWith,
} from '../support/passkeys.ts'
import { aBrowser, aMember, PASSWORD, signedInAgain } from '../support/people.ts'
import { aSpend } from '../support/spends.ts'
import { waitUntil } from '../support/wait-until.ts'
import type { Flow } from './stage.ts'

const ME = '/console/api/me'
const SIGN_IN = '/console/api/sign-in'

/** People: how they come in, are invited and changed, and leave. */
export const membersFlow: Flow = (stage) => {
  test('a member signs in, is seen, gives the password again and signs out', async () => {
    const { app } = stage()
    const acme = await app.organization()
    const ada = await aMember(app, acme)
    const wrong = await aBrowser(app).post(SIGN_IN, { email: ada.email, password: 'wrong' })
    expect(wrong.status).toBe(401)
    const other = await signedInAgain(app, ada)
    expect((await ada.get(ME)).status).toBe(200)
    const password = { password: PASSWORD }
    expect((await ada.post('/console/api/reauthenticate', password)).status).toBe(200)
    const change = { currentPassword: PASSWORD, newPassword: 'another long password', name: 'Ada' }
    expect((await ada.patch(ME, change)).body.member.name).toBe('Ada')
    await waitUntil(async () => (await other.get(ME)).status === 401)
    const { data } = (await ada.get('/console/api/sessions')).body
    expect(data).toHaveLength(1)
    const again = { email: ada.email, password: change.newPassword }
    expect((await ada.post(SIGN_IN, again)).status).toBe(200)
    expect((await ada.post('/console/api/sign-out')).status).toBe(200)
    await waitUntil(async () => {
      const changes = await changesOf(app, acme)
      return changes.some(({ operation }) => operation === 'sign_in.succeeded')
    })
  })

  test('a member signs in with a passkey and with a recovery code', async () => {
    const { app } = stage()
    const ada = await aMember(app, await app.organization())
    const { id, authenticator } = await addPasskey(ada)
    expect((await ada.patch(`${PASSKEYS}/${id}`, { name: 'Phone' })).body.name).toBe('Phone')
    expect((await signInWith(app, authenticator)).answer.status).toBe(200)
    const credential = authenticator.get(await signInOptions(ada))
    const again = await ada.post('/console/api/reauthenticate', { credential }, AT_HOST)
    expect(again.status).toBe(200)
    expect((await ada.delete(`${PASSKEYS}/${id}`)).status).toBe(200)
    const { codes } = dataOf<{ codes: string[] }>(await ada.post('/console/api/recovery-codes'))
    const code = { email: ada.email, recoveryCode: codes[0] }
    expect((await aBrowser(app).post(SIGN_IN, code)).status).toBe(200)
    expect((await aBrowser(app).post(SIGN_IN, code)).status).toBe(401)
    expect(dataOf(await ada.get('/console/api/recovery-codes'))).toMatchObject({ left: 9 })
  })

  test('a member is invited, changed, given a reset link and removed', async () => {
    const { app } = stage()
    const acme = await app.organization()
    const ada = await aMember(app, acme)
    const invitation = { email: 'bob@flow.example', role: 'viewer' }
    const { body: invited } = await ada.post('/console/api/invitations', invitation)
    expect((await ada.get('/console/api/invitations')).body.data).toHaveLength(1)
    const bob = aBrowser(app)
    const read = await bob.post('/console/api/link', { token: invited.token })
    expect(read.body).toMatchObject({
      kind: 'invite',
      role: 'viewer',
      createdBy: expect.any(String),
    })
    const accepted = await bob.post('/console/api/accept', {
      ...{ token: invited.token, name: 'Bob', password: PASSWORD },
    })
    expect(accepted.body.member).toMatchObject({ name: 'Bob', role: 'viewer' })
    const { id } = accepted.body.member
    const { body: other } = await ada.post('/console/api/invitations', {
      ...{ email: 'carol@flow.example', role: 'admin' },
    })
    expect((await ada.delete(`/console/api/invitations/${other.id}`)).status).toBe(200)
    expect((await ada.patch(`/console/api/members/${id}`, { role: 'admin' })).status).toBe(200)
    const reset = await ada.post(`/console/api/members/${id}/reset-link`)
    const again = { token: reset.body.token, password: 'another long password' }
    expect((await aBrowser(app).post('/console/api/accept', again)).status).toBe(200)
    expect((await ada.get('/console/api/members')).body.data).toHaveLength(2)
    expect((await ada.delete(`/console/api/members/${id}`)).status).toBe(200)
    expect((await ada.get('/console/api/members')).body.data).toHaveLength(1)
  })

  test('a member makes a key, as long as the membership lasts', async () => {
    const { app } = stage()
    const acme = await app.organization()
    const ada = await aMember(app, acme)
    expect((await ada.post('/api/v1/api-keys', { name: 'Made by Ada' })).status).toBe(200)
  })

  test('a member sends a spend, which names its sender', async () => {
    const { app } = stage()
    const acme = await app.organization()
    const ada = await aMember(app, acme)
    const { agentId } = await anActiveMandate(acme)
    expect((await ada.post('/api/v1/gateway/evaluate', aSpend(agentId))).status).toBe(200)
    const { data } = (await ada.get('/api/v1/transactions')).body
    expect(data).toMatchObject([{ requestedBy: { kind: 'member', id: ada.id } }])
  })

  test('the operator sees to people where nobody can sign in', async () => {
    const { app, db } = stage()
    const acme = await app.organization()
    const organizationId = toPublicId('org', acme.organizationId)
    const wanted = { organizationId, email: 'op@flow.example' }
    const { token } = await inviteMember({ db }, { ...wanted, role: 'admin', name: 'Op' })
    const admin = aBrowser(app)
    await admin.post('/console/api/accept', { token, password: PASSWORD })
    expect(await readMembers({ db }, { organizationId })).toMatchObject([
      { email: wanted.email, name: 'Op', role: 'admin' },
    ])
    expect((await issueResetLink({ db }, wanted)).token).toMatch(/^[\w-]{43}$/)
    expect(await dismissMember({ db }, wanted)).toBe(wanted.email)
    await waitUntil(async () => (await admin.get(ME)).status === 401)
  })

  test('the first owner of an organization sets it up, once', async () => {
    const { app, db } = stage()
    const acme = await app.organization()
    const now = Date.now()
    const { token } = await db.transaction((tx) =>
      createSetupLink(tx, acme.organizationId, 'cli', now),
    )
    expect(await hasSetup(db, acme.organizationId, now)).toBe(true)
    expect((await aBrowser(app).get('/console/api/state')).status).toBe(200)
    const settings = { organization: 'Acme', timezone: 'Europe/Berlin', currency: 'EUR' }
    const setUp = (email: string) =>
      aBrowser(app).post('/console/api/setup', { token, email, password: PASSWORD, ...settings })
    expect((await setUp('first@flow.example')).body.member.role).toBe('owner')
    expect((await setUp('second@flow.example')).body.code).toBe('link_ended')
    const folder = await createTemporaryFolder()
    try {
      // There are several organizations here, so nobody knows which one is meant.
      expect(await prepareSetup(db, folder.path)).toBeUndefined()
    } finally {
      await folder.remove()
    }
  })

  test('what is over is removed', async () => {
    const { app, db } = stage()
    const acme = await app.organization()
    const ada = await aMember(app, acme)
    await ada.post('/console/api/invitations', { email: 'late@flow.example', role: 'viewer' })
    await aBrowser(app).post(SIGN_IN, { email: 'nobody@flow.example', password: 'wrong' })
    const later = Date.now() + 8 * 86_400_000
    expect(await removeEndedSessions(db, later)).toBeGreaterThan(0)
    expect(await removeEndedInvitations(db, later)).toBeGreaterThan(0)
    expect(await removeEndedAttempts(db, later)).toBeGreaterThan(0)
  })
}
