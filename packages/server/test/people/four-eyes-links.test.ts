import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest'
import { toPublicId, toUuid } from '../../src/core/id.ts'
import { issueResetLink } from '../../src/operator/manage-members.ts'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { bodyOf } from '../support/builders.ts'
import {
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
let askedByKeyOf: Stage['askedByKeyOf']
let askedBySessionOf: Stage['askedBySessionOf']
let accepted: Stage['accepted']
beforeAll(async () => {
  app = await createTestApp()
  ;({ askedByKeyOf, askedBySessionOf, accepted } = fourEyesIn(app, () => acme))
})
afterAll(() => app.stop())
beforeEach(async () => {
  acme = await app.organization()
  ada = await aMember(app, acme)
  bob = await aMember(app, acme, { role: 'approver' })
  carol = await aMember(app, acme, { role: 'admin' })
  bodyOf(await setFourEyes(ada, true))
})

describe('with four eyes, an approver for whom the asking member makes a reset link', () => {
  test('before the request answers it, if it was taken before as well', async () => {
    const taken = await accepted(await resetLink(ada, bob))
    const id = await askedByKeyOf(ada)
    bodyOf(await decide(taken, id))
  })

  test('before the request, and that is taken after it, does not answer it', async () => {
    const token = await resetLink(ada, bob)
    const id = await askedByKeyOf(ada)
    expectRefused(await decide(await accepted(token), id), 'link_by_asker')
  })

  test('after the request does not answer it, whether the link is taken or not', async () => {
    const id = await askedBySessionOf(ada)
    const token = await resetLink(ada, bob)
    expectRefused(await decide(bob, id), 'link_by_asker')
    expectRefused(await decide(await accepted(token), id), 'link_by_asker')
  })

  test('does not answer it either once somebody else has made a link too', async () => {
    const id = await askedByKeyOf(ada)
    const taken = await accepted(await resetLink(ada, bob))
    await resetLink(carol, bob)
    expectRefused(await decide(taken, id), 'link_by_asker')
  })

  test('answers it where the operator made the link', async () => {
    const id = await askedByKeyOf(ada)
    const organizationId = toPublicId('org', acme.organizationId)
    const named = { organizationId, email: bob.email }
    const { token } = await issueResetLink({ db: app.database.db }, named)
    bodyOf(await decide(await accepted(token), id))
  })
})

describe('with four eyes, a member who makes a reset link for another one', () => {
  const taken = async (by: Person) =>
    Object.assign(await accepted(await resetLink(by, carol)), {
      id: carol.id,
      email: carol.email,
    })

  test('does not answer what is asked with that account', async () => {
    const asCarol = await taken(ada)
    for (const id of [await askedByKeyOf(asCarol), await askedBySessionOf(asCarol)]) {
      expectRefused(await decide(ada, id), 'link_by_answerer')
      bodyOf(await decide(bob, id))
    }
  })

  test('answers it again when the link is older than 7 days', async () => {
    const asCarol = await taken(ada)
    await app.rows(
      `update member_links set made_at = made_at - interval '7 days 1 minute' where made_by = $1`,
      [toUuid('mem', ada.id)],
    )
    await app.rows(`update members set created_at = created_at - interval '8 days'`)
    bodyOf(await decide(ada, await askedByKeyOf(asCarol)))
  })

  test('answers what is asked by a member whom they invited', async () => {
    const invitee = await accepted(await invited(ada, 'admin'))
    const id = await askedByKeyOf(Object.assign(invitee, { id: '', email: '' }))
    bodyOf(await decide(ada, id))
  })
})
