import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { toPublicId } from '../../src/core/id.ts'
import { dismissMember, inviteMember } from '../../src/operator/manage-members.ts'
import { type Client, createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { aSpender, askFor, decideOn, readApproval } from '../support/approvals.ts'
import { anActiveMandate, bodyOf } from '../support/builders.ts'
import { watchChanges } from '../support/changes.ts'
import {
  ASKS,
  decide,
  expectRefused,
  fourEyesIn,
  invited,
  resetLink,
  setFourEyes,
} from '../support/four-eyes.ts'
import { aMember, type Person } from '../support/people.ts'

type Stage = ReturnType<typeof fourEyesIn>

let app: TestApp
let acme: Owner
let ada: Person
let bob: Person
let carol: Person
let keyOf: Stage['keyOf']
let askedByKeyOf: Stage['askedByKeyOf']
let askedBySessionOf: Stage['askedBySessionOf']
let accepted: Stage['accepted']
beforeAll(async () => {
  app = await createTestApp()
  ;({ keyOf, askedByKeyOf, askedBySessionOf, accepted } = fourEyesIn(app, () => acme))
})
afterAll(() => app.stop())
beforeEach(async () => {
  acme = await app.organization()
  ada = await aMember(app, acme)
  bob = await aMember(app, acme, { role: 'approver' })
  carol = await aMember(app, acme, { role: 'admin' })
})

async function keyMadeWith(client: Client, fields = {}): Promise<Client> {
  return app.client(bodyOf(await client.post('/api-keys', { name: 'Next', ...fields })).apiKey)
}

/** Revokes the only key that `keyOf` has made. */
async function revokeKeyOfPerson(): Promise<void> {
  const { data } = bodyOf(await acme.get('/api-keys'))
  const [made, ...others] = data.filter(({ name }) => name === 'Made by a person')
  expect([made?.name, others]).toEqual(['Made by a person', []])
  bodyOf(await acme.delete(`/api-keys/${made?.id}`))
}

describe('four eyes are switched', () => {
  test('by an owner, off by default, and the change is recorded', async () => {
    expect(bodyOf(await acme.get('/organization')).requireFourEyes).toBe(false)
    const changes = await watchChanges(app, acme)
    expect(bodyOf(await setFourEyes(ada, true)).requireFourEyes).toBe(true)
    expect(await changes()).toMatchObject([
      {
        operation: 'organization.updated',
        before: { requireFourEyes: false },
        after: { requireFourEyes: true },
      },
    ])
  })

  test('by no admin, and by no key', async () => {
    const byAdmin = await setFourEyes(carol, true)
    expect([byAdmin.status, byAdmin.body.code]).toEqual([403, 'insufficient_role'])
    const byKey = await acme.patch('/organization', { requireFourEyes: true })
    expect([byKey.status, byKey.body.code]).toEqual([403, 'session_required'])
    expect(bodyOf(await acme.get('/organization')).requireFourEyes).toBe(false)
  })
})

describe('without four eyes', () => {
  test('a member answers what the own key asked, with the session and with the setup key', async () => {
    bodyOf(await decide(ada, await askedByKeyOf(ada)))
    bodyOf(await decideOn(acme, await askedByKeyOf(ada)))
  })

  test('a member whom the asking one invited answers', async () => {
    const id = await askedBySessionOf(ada)
    bodyOf(await decide(await accepted(await invited(ada, 'approver')), id))
  })

  test('so it is again once they are switched off', async () => {
    bodyOf(await setFourEyes(ada, true))
    const id = await askedByKeyOf(ada)
    expectRefused(await decide(ada, id), 'same_person')
    bodyOf(await setFourEyes(ada, false))
    bodyOf(await decide(ada, id))
  })
})

describe('with four eyes', () => {
  beforeEach(async () => {
    bodyOf(await setFourEyes(ada, true))
  })

  test('the session of a member does not answer what the own key asked', async () => {
    const id = await askedByKeyOf(ada)
    expectRefused(await decide(ada, id), 'same_person')
    expectRefused(await decide(ada, id, { decision: 'reject' }), 'same_person')
    expect((await readApproval(acme, id)).status).toBe('pending')
    bodyOf(await decide(bob, id))
  })

  test('the session that asked is told why it does not answer, and who can', async () => {
    expectRefused(await decide(ada, await askedBySessionOf(ada)), 'same_person')
  })

  test('nor what a key asked that another key of the member made, also a revoked one', async () => {
    const { agentId } = await anActiveMandate(acme, ASKS)
    const first = await keyOf(ada)
    const second = await keyMadeWith(first)
    const third = await keyMadeWith(second, { agentIds: [agentId] })
    const id = await askFor(third, agentId)
    await revokeKeyOfPerson()
    expectRefused(await decide(ada, id), 'same_person')
    expectRefused(await decideOn(second, id), 'same_person')
    bodyOf(await decide(bob, id))
  })

  test('a key does not answer what the session or another key of its maker asked', async () => {
    const [one, other] = [await keyOf(ada), await keyMadeWith(await keyOf(ada))]
    for (const id of [await askedByKeyOf(ada), await askedBySessionOf(ada)]) {
      for (const key of [one, other]) {
        const refused = await decideOn(key, id)
        expect(refused.status).toBe(403)
        expect(['four_eyes_required', 'approval_own_request']).toContain(refused.body.code)
      }
    }
  })

  test('a key that replaces another counts as the same member', async () => {
    const { agentId } = await anActiveMandate(acme, ASKS)
    const old = await keyOf(ada)
    const id = await askFor(old, agentId)
    const replaced = await keyMadeWith(old)
    await revokeKeyOfPerson()
    expect((await decideOn(replaced, id)).status).toBe(403)
    expectRefused(await decideOn(await keyOf(ada), id), 'same_person')
  })

  test('everybody who joined counts as having asked', async () => {
    const { agentId } = await anActiveMandate(acme, ASKS)
    const id = await askFor(await keyOf(ada, { agentIds: [agentId] }), agentId)
    expect(await askFor(await keyOf(carol, { agentIds: [agentId] }), agentId)).toBe(id)
    for (const person of [ada, carol]) expectRefused(await decide(person, id), 'same_person')
    bodyOf(await decide(bob, id))
  })

  test('a key of another member answers', async () => {
    bodyOf(await decideOn(await keyOf(carol), await askedByKeyOf(ada)))
  })

  test('a key of the operator asks as nobody in particular, and answers nothing', async () => {
    const { agentId } = await anActiveMandate(acme, ASKS)
    const id = await askFor(await aSpender(app, acme, agentId), agentId)
    for (const key of [acme, await keyMadeWith(acme)]) {
      expectRefused(await decideOn(key, id), 'no_person')
    }
    bodyOf(await decide(ada, id))
  })

  test('each of several requests is refused for itself', async () => {
    const [own, foreign] = [await askedByKeyOf(ada), await askedByKeyOf(carol)]
    const answer = bodyOf(await decide(ada, foreign, { alsoIds: [own] }))
    expect(answer.also).toMatchObject([{ decided: false, code: 'four_eyes_required' }])
    expect((await readApproval(acme, own)).status).toBe('pending')
  })

  describe('a member whom the asking one lets in', () => {
    test('after the request was opened does not answer it, but a later one', async () => {
      const id = await askedByKeyOf(ada)
      const second = await accepted(await invited(ada, 'approver'))
      expectRefused(await decide(second, id), 'link_by_asker')
      bodyOf(await decide(second, await askedByKeyOf(ada)))
    })

    test('with an invitation from before the request answers it', async () => {
      const token = await invited(ada, 'approver')
      const id = await askedByKeyOf(ada)
      bodyOf(await decide(await accepted(token), id))
    })

    test('lets in nobody else who could answer', async () => {
      const id = await askedByKeyOf(ada)
      const second = Object.assign(await accepted(await invited(ada, 'admin')), {
        id: '',
        email: '',
      })
      const third = await accepted(await invited(second, 'approver'))
      expectRefused(await decide(third, id), 'link_by_asker')
      expectRefused(await decideOn(await keyOf(second), id), 'link_by_asker')
      const reset = await accepted(await resetLink(second, bob))
      expectRefused(await decide(reset, id), 'link_by_asker')
    })

    test('lets others in whom a third member invited', async () => {
      const id = await askedByKeyOf(ada)
      bodyOf(await decide(await accepted(await invited(carol, 'approver')), id))
    })
  })

  test('a member who was removed and is invited again stays the same person', async () => {
    const id = await askedByKeyOf(carol)
    const organizationId = toPublicId('org', acme.organizationId)
    const named = { organizationId, email: carol.email }
    const { db } = app.database
    await dismissMember({ db }, named)
    const { token } = await inviteMember({ db }, { ...named, role: 'approver', name: null })
    expectRefused(await decide(await accepted(token), id), 'same_person')
  })

  test('the refusal of an only owner says which roles can answer', async () => {
    const alone = await app.organization('Alone')
    const owner = await aMember(app, alone)
    bodyOf(await setFourEyes(owner, true))
    const { agentId } = await anActiveMandate(alone, ASKS)
    const made = bodyOf(await owner.post('/api/v1/api-keys', { name: 'A', agentIds: [agentId] }))
    const refused = await decide(owner, await askFor(app.client(made.apiKey), agentId))
    expectRefused(refused, 'same_person')
    expect(refused.body.detail).toContain('You requested the approval')
  })
})
