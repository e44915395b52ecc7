import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Role } from '../../src/core/people/role.ts'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { aBrowser, aMember, PASSWORD, type Person } from '../support/people.ts'
import { waitUntil } from '../support/wait-until.ts'

let app: TestApp
let acme: Owner
let owner: Person
beforeAll(async () => {
  app = await createTestApp()
  acme = await app.organization()
  owner = await aMember(app, acme)
})
afterAll(() => app.stop())

let count = 0

/** The token of an invitation to have the role. */
async function inviteBy(person: Person, role: Role): Promise<string> {
  count += 1
  const body = { email: `linked-${count}@example.com`, role }
  return tokenIn(await person.post('/console/api/invitations', body))
}

/** The token of a link for another password. */
async function resetBy(person: Person, { id }: Person): Promise<string> {
  return tokenIn(await person.post(`/console/api/members/${id}/reset-link`))
}

function tokenIn({ status, text, body }: Awaited<ReturnType<Person['post']>>): string {
  expect(status, text).toBe(200)
  return body.token
}

async function codeOf(token: string): Promise<string | undefined> {
  const body = { token, password: PASSWORD }
  const answer = await aBrowser(app).post('/console/api/accept', body)
  return answer.status === 200 ? 'accepted' : answer.body.code
}

const give = (role: Role, { id }: Person) =>
  owner.patch(`/console/api/members/${id}`, { role }).then(({ status }) => expect(status).toBe(200))

describe('a link for another password', () => {
  test('ends when the member gets another role: its maker may not manage that one', async () => {
    const admin = await aMember(app, acme, { role: 'admin' })
    const bob = await aMember(app, acme, { role: 'viewer' })
    const token = await resetBy(admin, bob)
    await give('owner', bob)
    expect(await codeOf(token)).toBe('link_ended')
  })

  test('goes on when only the name is changed', async () => {
    const bob = await aMember(app, acme, { role: 'viewer' })
    const token = await resetBy(owner, bob)
    await owner.patch(`/console/api/members/${bob.id}`, { name: 'Bob', role: 'viewer' })
    expect(await codeOf(token)).toBe('accepted')
  })
})

describe('links that somebody has made', () => {
  test('end when their maker is removed, who may have kept them', async () => {
    const leaver = await aMember(app, acme)
    const bob = await aMember(app, acme, { role: 'admin' })
    const tokens = [
      await inviteBy(leaver, 'owner'),
      await inviteBy(leaver, 'viewer'),
      await resetBy(leaver, bob),
    ]
    const kept = await inviteBy(owner, 'viewer')
    expect((await owner.delete(`/console/api/members/${leaver.id}`)).status).toBe(200)
    for (const token of tokens) expect(await codeOf(token)).toBe('link_ended')
    expect(await codeOf(kept)).toBe('accepted')
  })

  test('end when their maker gets a role that could not make them', async () => {
    const demoted = await aMember(app, acme)
    const [asOwner, asAdmin] = [await inviteBy(demoted, 'owner'), await inviteBy(demoted, 'admin')]
    const reset = await resetBy(demoted, owner)
    await give('admin', demoted)
    expect(await codeOf(asOwner)).toBe('link_ended')
    expect(await codeOf(reset)).toBe('link_ended')
    expect(await codeOf(asAdmin)).toBe('accepted')
    const last = await inviteBy(demoted, 'viewer')
    await give('approver', demoted)
    expect(await codeOf(last)).toBe('link_ended')
  })
})

describe('the page of a link', () => {
  const read = (token: string) => aBrowser(app).post('/console/api/link', { token })

  test('says who invites, to which organization, and as what', async () => {
    const token = await inviteBy(owner, 'approver')
    const { status, body } = await read(token)
    expect(status).toBe(200)
    const { body: me } = await owner.get('/console/api/me')
    expect(body).toMatchObject({
      ...{ kind: 'invite', organization: me.organization.name, createdBy: me.member.name },
      ...{ email: `linked-${count}@example.com`, name: null, role: 'approver' },
    })
    expect(body).not.toHaveProperty('token')
    expect(await codeOf(token)).toBe('accepted')
  })

  test('says whose password a reset link changes', async () => {
    const bob = await aMember(app, acme, { role: 'viewer' })
    const { body } = await read(await resetBy(owner, bob))
    expect(body).toMatchObject({ kind: 'reset', email: bob.email, role: 'viewer' })
  })

  test('says the same of a used link and of one that never existed', async () => {
    const token = await inviteBy(owner, 'viewer')
    await codeOf(token)
    const [used, unknown] = [await read(token), await read('a'.repeat(43))]
    expect(used.body.code).toBe('link_ended')
    expect({ ...used.body, requestId: '' }).toEqual({ ...unknown.body, requestId: '' })
  })

  test('counts wrong tokens of an address, and refuses it after too many', async () => {
    const stranger = aBrowser(app)
    const wrong = () => stranger.post('/console/api/link', { token: 'b'.repeat(43) })
    await waitUntil(async () => (await wrong()).status === 429)
  })
})
