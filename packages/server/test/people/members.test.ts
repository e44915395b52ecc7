import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { aBrowser, aMember, PASSWORD, type Person, signedInAgain } from '../support/people.ts'
import { waitUntil } from '../support/wait-until.ts'

let app: TestApp
let acme: Owner
let owner: Person
let admin: Person
beforeAll(async () => {
  app = await createTestApp()
  acme = await app.organization()
  owner = await aMember(app, acme)
  admin = await aMember(app, acme, { role: 'admin' })
})
afterAll(() => app.stop())

const INVITATIONS = '/console/api/invitations'
const accept = (body: object) => aBrowser(app).post('/console/api/accept', body)
let count = 0
const anEmail = () => `invited-${++count}@example.com`

describe('an invitation', () => {
  test('makes somebody a member, once', async () => {
    const email = anEmail()
    const invited = await owner.post(INVITATIONS, { email, role: 'approver', name: 'Bob' })
    expect(invited.body).toMatchObject({ kind: 'invite', email, role: 'approver' })
    const { token } = invited.body
    const weak = await accept({ token, password: 'passwordpassword' })
    expect(weak.body.errors[0]).toMatchObject({ path: '/password', code: 'too_common' })
    const first = await accept({ token, password: PASSWORD })
    expect(first.body.member).toMatchObject({
      ...{ email, name: 'Bob', role: 'approver', createdBy: owner.id },
    })
    const second = await accept({ token, password: PASSWORD })
    expect([second.status, second.body.code]).toEqual([410, 'link_ended'])
    const twice = await owner.post(INVITATIONS, { email, role: 'viewer' })
    expect([twice.status, twice.body.code]).toEqual([409, 'member_exists'])
  })

  test('ends after seven days', async () => {
    const { body } = await owner.post(INVITATIONS, { email: anEmail(), role: 'viewer' })
    try {
      app.clock.now = Date.now() + 7 * 86_400_000 + 60_000
      expect((await accept({ token: body.token, password: PASSWORD })).status).toBe(410)
    } finally {
      app.clock.now = undefined
    }
    expect((await accept({ token: body.token, password: PASSWORD })).status).toBe(200)
  })

  test('is replaced by a later one for the same address, and can be withdrawn', async () => {
    const email = anEmail()
    const { body: first } = await owner.post(INVITATIONS, { email, role: 'admin' })
    const { body: later } = await owner.post(INVITATIONS, { email, role: 'viewer' })
    expect((await accept({ token: first.token, password: PASSWORD })).status).toBe(410)
    const { data } = (await admin.get(INVITATIONS)).body
    expect(data.map(({ id }) => id)).toContain(later.id)
    expect(JSON.stringify(data)).not.toContain(later.token)
    expect((await admin.delete(`${INVITATIONS}/${later.id}`)).status).toBe(200)
    expect((await accept({ token: later.token, password: PASSWORD })).status).toBe(410)
    expect((await admin.delete(`${INVITATIONS}/${later.id}`)).status).toBe(404)
  })

  test('to be an owner comes from an owner', async () => {
    const body = { email: anEmail(), role: 'owner' }
    const refused = await admin.post(INVITATIONS, body)
    expect([refused.status, refused.body.code]).toEqual([403, 'insufficient_role'])
    const made = await owner.post(INVITATIONS, body)
    expect(made.status).toBe(200)
    expect((await admin.delete(`${INVITATIONS}/${made.body.id}`)).status).toBe(403)
    // Nor can an admin put another one in its place.
    const other = await admin.post(INVITATIONS, { ...body, role: 'viewer' })
    expect([other.status, other.body.code]).toEqual([403, 'insufficient_role'])
    expect((await accept({ token: made.body.token, password: PASSWORD })).status).toBe(200)
  })
})

describe('a member', () => {
  test('is changed, unlocked and removed by those whom the role lets', async () => {
    const bob = await aMember(app, acme, { role: 'viewer' })
    const path = `/console/api/members/${bob.id}`
    expect((await admin.patch(path, { role: 'approver', name: 'Bob' })).body).toMatchObject({
      ...{ id: bob.id, role: 'approver', name: 'Bob' },
    })
    expect((await admin.patch(path, { role: 'owner' })).status).toBe(403)
    const own = `/console/api/members/${owner.id}`
    for (const answer of [
      await admin.patch(own, { role: 'viewer' }),
      await admin.delete(own),
      await admin.post(`${own}/reset-link`),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([403, 'insufficient_role'])
    }
    expect((await bob.get('/console/api/members')).status).toBe(403)
    expect((await owner.delete(path)).status).toBe(200)
    await waitUntil(async () => (await bob.get('/console/api/me')).status === 401)
    expect((await owner.delete(path)).status).toBe(404)
  })

  test('chooses another password by a link, which ends every session and lock', async () => {
    const bob = await aMember(app, acme, { role: 'viewer' })
    const body = { email: bob.email, password: 'not the password' }
    for (let at = 0; at < 11; at++) await aBrowser(app).post('/console/api/sign-in', body)
    const link = await admin.post(`/console/api/members/${bob.id}/reset-link`)
    expect(link.body.token).toMatch(/^[\w-]{43}$/)
    const password = 'another long password'
    const answer = await accept({ token: link.body.token, password })
    expect(answer.body.member.id).toBe(bob.id)
    await waitUntil(async () => (await bob.get('/console/api/me')).status === 401)
    const again = aBrowser(app).post('/console/api/sign-in', { email: bob.email, password })
    expect((await again).status).toBe(200)
  })

  test('of another organization is not there', async () => {
    const other = await aMember(app, await app.organization('Globex'))
    const path = `/console/api/members/${other.id}`
    for (const answer of [
      await owner.patch(path, { role: 'viewer' }),
      await owner.delete(path),
      await owner.post(`${path}/reset-link`),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([404, 'member_not_found'])
    }
  })

  test('can come back after having been removed', async () => {
    const bob = await aMember(app, acme, { role: 'viewer' })
    await owner.delete(`/console/api/members/${bob.id}`)
    const again = await aMember(app, acme, { role: 'admin', email: bob.email })
    expect(again.id).not.toBe(bob.id)
    await signedInAgain(app, bob)
  })
})

describe('the last owner', () => {
  test('stays, whoever asks', async () => {
    const globex = await app.organization('Globex')
    const only = await aMember(app, globex)
    const path = `/console/api/members/${only.id}`
    for (const answer of [await only.patch(path, { role: 'admin' }), await only.delete(path)]) {
      expect([answer.status, answer.body.code]).toEqual([409, 'last_owner'])
    }
    const second = await aMember(app, globex)
    expect((await second.patch(path, { role: 'admin' })).status).toBe(200)
  })

  test('stays when two owners demote each other, or leave, at once', async () => {
    for (const act of ['demote', 'leave'] as const) {
      const globex = await app.organization('Globex')
      const owners = [await aMember(app, globex), await aMember(app, globex)]
      const [one, two] = owners
      if (!one || !two) throw new Error('There are two.')
      const pathOf = ({ id }: Person) => `/console/api/members/${id}`
      const answers = await Promise.all(
        act === 'demote'
          ? [one.patch(pathOf(two), { role: 'viewer' }), two.patch(pathOf(one), { role: 'viewer' })]
          : [one.delete(pathOf(one)), two.delete(pathOf(two))],
      )
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      const [left] = await app.rows<{ count: bigint }>(
        `select count(*) from members
         where organization_id = $1 and role = 'owner' and status = 'active'`,
        [globex.organizationId],
      )
      expect(Number(left?.count)).toBe(1)
    }
  })
})

test('no key can see or change people, whatever its scopes', async () => {
  const authorization = `Bearer ${acme.apiKey}`
  for (const browser of [aBrowser(app), owner]) {
    for (const url of ['/console/api/me', '/console/api/members', INVITATIONS]) {
      const answer = await browser.get(url, { authorization })
      expect([answer.status, answer.body.code]).toEqual([403, 'session_required'])
    }
  }
})
