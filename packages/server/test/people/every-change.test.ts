import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Operation } from '../../src/core/change.ts'
import { toPublicId } from '../../src/core/id.ts'
import { dismissMember, inviteMember, issueResetLink } from '../../src/operator/manage-members.ts'
import { createSetupLink } from '../../src/people/links.ts'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { aSpender, askFor } from '../support/approvals.ts'
import { anActiveMandate, anAgent } from '../support/builders.ts'
import { watchChanges } from '../support/changes.ts'
import { listConsoleRoutes } from '../support/console-routes.ts'
import { aBrowser, aMember, PASSWORD, type Person, signedInAgain } from '../support/people.ts'
import { waitUntil } from '../support/wait-until.ts'
import { PASSKEY_SCENES, type Prepare, type Stage } from './passkey-scenes.ts'

/** It changes nothing; the token is in the body, because addresses are logged. */
const READS_A_LINK = 'POST /link'

const NEXT = 'another long password'
const invite = (stage: Stage, email: string) =>
  stage.ada.post('/console/api/invitations', { email, role: 'viewer' })

/** By the endpoints of the console that are no reading. */
const SCENES: Readonly<Record<string, Prepare>> = {
  'POST /sign-in': async ({ app, ada }) => ({
    act: () => aBrowser(app).post('/console/api/sign-in', { email: ada.email, password: PASSWORD }),
    kept: 'sign_in.succeeded',
  }),
  'POST /accept': async (stage) => {
    const { body } = await invite(stage, 'invited@example.com')
    stage.hide(body.token)
    const accepted = { token: body.token, name: 'Invited', password: PASSWORD }
    const act = () => aBrowser(stage.app).post('/console/api/accept', accepted)
    return { act, kept: 'member.joined' }
  },
  'POST /setup': async ({ app, hide }) => {
    const { organizationId } = await app.organization('Without people')
    const { token } = await app.database.db.transaction((tx) =>
      createSetupLink(tx, organizationId, 'cli', Date.now()),
    )
    hide(token)
    const email = 'first@example.com'
    const act = () => aBrowser(app).post('/console/api/setup', { token, email, password: PASSWORD })
    return { act, kept: 'member.joined' }
  },
  'POST /sign-out': async ({ ada }) => ({
    act: () => ada.post('/console/api/sign-out'),
    kept: null,
  }),
  'POST /reauthenticate': async ({ ada }) => ({
    act: () => ada.post('/console/api/reauthenticate', { password: PASSWORD }),
    kept: null,
  }),
  'PATCH /me': async ({ ada, hide }) => {
    hide(NEXT)
    const change = { name: 'Ada', currentPassword: PASSWORD, newPassword: NEXT }
    return { act: () => ada.patch('/console/api/me', change), kept: 'member.updated' }
  },
  ...PASSKEY_SCENES,
  'DELETE /sessions': async ({ ada }) => ({
    act: () => ada.delete('/console/api/sessions'),
    kept: null,
  }),
  'DELETE /sessions/:id': async ({ app, ada }) => {
    await signedInAgain(app, ada)
    const { data } = (await ada.get('/console/api/sessions')).body
    const id = data[0]?.id
    return { act: () => ada.delete(`/console/api/sessions/${id}`), kept: null }
  },
  'PATCH /members/:id': async ({ app, acme, ada }) => {
    const { id } = await aMember(app, acme, { role: 'viewer' })
    const act = () => ada.patch(`/console/api/members/${id}`, { role: 'approver' })
    return { act, kept: 'member.updated' }
  },
  'DELETE /members/:id': async ({ app, acme, ada }) => {
    const { id } = await aMember(app, acme, { role: 'viewer' })
    return { act: () => ada.delete(`/console/api/members/${id}`), kept: 'member.removed' }
  },
  'POST /members/:id/reset-link': async ({ app, acme, ada, hide }) => {
    const { id } = await aMember(app, acme, { role: 'viewer' })
    const act = async () => {
      const answer = await ada.post(`/console/api/members/${id}/reset-link`)
      hide(answer.body.token)
      return answer
    }
    return { act, kept: 'member.reset_link_created' }
  },
  'POST /invitations': async (stage) => {
    const act = async () => {
      const answer = await invite(stage, 'somebody@example.com')
      stage.hide(answer.body.token)
      return answer
    }
    return { act, kept: 'invitation.created' }
  },
  'PATCH /messages': async ({ ada }) => ({
    act: () => ada.patch('/console/api/messages', { kinds: [] }),
    kept: 'member.updated',
  }),
  'PATCH /messages/chat': async ({ ada, hide }) => {
    hide('secret-chat-path')
    const url = 'https://93.184.216.34/secret-chat-path'
    const act = () => ada.patch('/console/api/messages/chat', { url })
    return { act, kept: 'organization.updated' }
  },
  'DELETE /messages/chat': async ({ ada }) => {
    await ada.patch('/console/api/messages/chat', { url: 'https://93.184.216.34/secret-chat-path' })
    const act = () => ada.delete('/console/api/messages/chat')
    return { act, kept: 'organization.updated' }
  },
  'DELETE /invitations/:id': async (stage) => {
    const { body } = await invite(stage, 'nobody@example.com')
    const act = () => stage.ada.delete(`/console/api/invitations/${body.id}`)
    return { act, kept: 'invitation.withdrawn' }
  },
}

describe('every change of people', () => {
  let app: TestApp
  const secrets: string[] = [PASSWORD]
  beforeAll(async () => {
    app = await createTestApp()
  })
  afterAll(() => app?.stop())

  async function openStage(): Promise<Stage> {
    const acme = await app.organization()
    const ada = await aMember(app, acme)
    return { app, acme, ada, hide: (...all) => secrets.push(...all) }
  }

  /** Of all organizations, because a scene may be about another one. */
  const changesInAll = () =>
    app.rows<Row>('select id, operation, actor_kind as kind, actor_id as "actorId" from changes')

  test('is in the scenes: one for each endpoint that is no reading', async () => {
    const changing = (await listConsoleRoutes()).filter(({ method }) => method !== 'GET')
    const names = changing.map(({ method, url }) => `${method} ${url.replace('/console/api', '')}`)
    const isReading = (name: string) => /^HEAD/.test(name) || name === READS_A_LINK
    expect(Object.keys(SCENES).sort()).toEqual(names.filter((name) => !isReading(name)).sort())
  })

  test.each(Object.entries(SCENES))('%s', async (_, prepare) => {
    const { act, kept } = await prepare(await openStage())
    const before = new Set((await changesInAll()).map(({ id }) => id))
    const answer = await act()
    expect(answer.status, answer.text).toBe(200)
    const isSignIn = (operation: string | null) => operation?.startsWith('sign_in.') === true
    const changed = async () => (await changesInAll()).filter(({ id }) => !before.has(id))
    // A worker records these, so that of an earlier scene may come late.
    if (isSignIn(kept)) await waitUntil(async () => (await changed()).length > 0)
    const all = await changed()
    const rows = all.filter(({ operation }) => isSignIn(operation) === isSignIn(kept))
    if (kept === null) return expect(rows).toEqual([])
    expect(rows).toMatchObject([{ operation: kept, kind: 'member' }])
    const members = await app.rows('select 1 from members where id = $1', [rows[0]?.actorId])
    expect(members).toHaveLength(1)
  })

  test('is kept without a secret', async () => {
    const rows = await app.rows<{ text: string }>(
      `select concat_ws(' ', subject_id, before, after) as text from changes`,
    )
    const text = rows.map((row) => row.text).join('\n')
    expect(text).toContain('somebody@example.com')
    expect(text).toContain('"password":"replaced"')
    expect(secrets.length).toBeGreaterThan(5)
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
  })

  test('says what it was and what it is', async () => {
    const { acme, ada } = await openStage()
    const bob = await aMember(app, acme, { role: 'viewer' })
    const since = await watchChanges(app, acme)
    await ada.patch(`/console/api/members/${bob.id}`, { role: 'admin' })
    await ada.patch(`/console/api/members/${bob.id}`, { role: 'admin' })
    await ada.delete(`/console/api/members/${bob.id}`)
    const gone = { email: bob.email, role: 'admin' }
    expect(await since()).toMatchObject([
      { subjectId: bob.id, before: { role: 'viewer' }, after: { role: 'admin' } },
      { subjectId: bob.id, before: gone, after: null },
    ])
  })

  test('is kept of a password that was forgotten, by whoever chose the next one', async () => {
    const { acme, ada } = await openStage()
    const bob = await aMember(app, acme, { role: 'viewer' })
    const { token } = (await ada.post(`/console/api/members/${bob.id}/reset-link`)).body
    const since = await watchChanges(app, acme)
    await aBrowser(app).post('/console/api/accept', { token, password: NEXT })
    const [change, ...others] = await since()
    expect(others).toEqual([])
    expect(change).toMatchObject({ operation: 'member.password_reset', subjectId: bob.id })
    expect(toPublicId('mem', change?.actor.id ?? '')).toBe(bob.id)
    expect(change?.after).toEqual({ password: 'replaced', address: '127.0.0.1' })
  })

  test('is kept of what the operator does', async () => {
    const acme = await app.organization()
    const { db } = app.database
    const since = await watchChanges(app, acme)
    const organizationId = toPublicId('org', acme.organizationId)
    const wanted = { organizationId, email: 'operated@example.com' }
    const { token } = await inviteMember({ db }, { ...wanted, role: 'admin', name: null })
    await aBrowser(app).post('/console/api/accept', { token, password: PASSWORD })
    await issueResetLink({ db }, wanted)
    await dismissMember({ db }, wanted)
    const kept = (await since()).map(({ operation, actor }) => [operation, actor.kind])
    expect(kept).toEqual([
      ['invitation.created', 'cli'],
      ['member.joined', 'member'],
      ['member.reset_link_created', 'cli'],
      ['member.removed', 'cli'],
    ])
  })
})

interface Row {
  readonly id: string
  readonly operation: Operation
  readonly kind: string
  readonly actorId: string
}

describe('a member who changes something by the API', () => {
  let app: TestApp
  let acme: Owner
  let ada: Person
  beforeAll(async () => {
    app = await createTestApp()
    acme = await app.organization()
    ada = await aMember(app, acme)
  })
  afterAll(() => app?.stop())

  test('is named in the record and beside what was changed', async () => {
    const { id } = await anAgent(acme)
    const since = await watchChanges(app, acme)
    const answer = await ada.patch(`/api/v1/agents/${id}`, { status: 'paused' })
    expect(JSON.parse(answer.text).updatedBy).toBe(ada.id)
    const [change] = await since()
    expect(change).toMatchObject({
      operation: 'agent.updated',
      actor: { kind: 'member', name: ada.email },
    })
    expect(toPublicId('mem', change?.actor.id ?? '')).toBe(ada.id)
  })

  test('leaves a row for each approval that one request decides', async () => {
    const rules = [{ type: 'approval', above: 5 }]
    const { agentId } = await anActiveMandate(acme, { rules })
    const spender = await aSpender(app, acme, agentId)
    const ids = [await askFor(spender, agentId), await askFor(spender, agentId, { amount: 11 })]
    const [id, ...alsoIds] = ids
    const since = await watchChanges(app, acme)
    const url = `/api/v1/approvals/${id}/decision`
    const said = { decision: 'approve', comment: 'Agreed.', alsoIds }
    expect((await ada.post(url, said)).status).toBe(200)
    expect((await ada.post(url, said)).status).toBe(409)
    const changes = await since()
    expect(changes.map(({ subjectId }) => subjectId)).toEqual(ids)
    expect(changes).toMatchObject([
      {
        operation: 'approval.decided',
        actor: { kind: 'member', name: ada.email },
        before: { status: 'pending' },
        after: { status: 'approved', comment: 'Agreed.', maxAmount: 10 },
      },
      { operation: 'approval.decided', after: { maxAmount: 11 } },
    ])
  })
})
