import { afterAll, beforeAll, expect, test } from 'vitest'
import { toUuid } from '../../src/core/id.ts'
import { createResetLink } from '../../src/people/links.ts'
import { readClock } from '../../src/storage/engine/clock.ts'
import type { Tx } from '../../src/storage/engine/database.ts'
import { lockOrganization } from '../../src/storage/organizations.ts'
import { findMember } from '../../src/storage/people/members.ts'
import { type Answer, createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { approvalIdIn } from '../support/approvals.ts'
import { anActiveMandate } from '../support/builders.ts'
import { describeOnPostgres } from '../support/database.ts'
import { aMember, type Person } from '../support/people.ts'
import { countLockWaits, holdLocks, STAYS_OPEN } from '../support/row-lock.ts'
import { aSpend } from '../support/spends.ts'
import { waitUntil } from '../support/wait-until.ts'

describeOnPostgres('a member who changes the own name', () => {
  let app: TestApp
  let acme: Owner
  beforeAll(async () => {
    app = await createTestApp('postgres')
    acme = await app.organization()
    await aMember(app, acme)
  })
  afterAll(() => app.stop())

  /** Lets the member's row be changed while the member waits to change it. */
  async function changedMeanwhile({ id }: Person, set: string, act: () => Promise<unknown>) {
    const { db } = app.database
    const text = `update members set ${set} where id = $1`
    const held = await holdLocks(db, { text, values: [toUuid('mem', id)] })
    const acting = act()
    try {
      await waitUntil(async () => (await countLockWaits(db)) > 0)
    } finally {
      await held.release()
    }
    return acting
  }
  const rowOf = async ({ id }: Person) => {
    const [row] = await app.rows('select name, role, status from members where id = $1', [
      toUuid('mem', id),
    ])
    return row
  }

  test('does not get back a role that was taken away meanwhile', async () => {
    const bob = await aMember(app, acme)
    const rename = () => bob.patch('/console/api/me', { name: 'Bob' })
    await changedMeanwhile(bob, `role = 'viewer'`, rename)
    expect(await rowOf(bob)).toMatchObject({ name: 'Bob', role: 'viewer' })
  })

  test('changes nothing of somebody who was removed meanwhile', async () => {
    const bob = await aMember(app, acme)
    const rename = () => bob.patch('/console/api/me', { name: 'Bob' })
    const answer = await changedMeanwhile(bob, `status = 'removed'`, rename)
    expect(answer).toMatchObject({ status: 404, body: { code: 'member_not_found' } })
    expect(await rowOf(bob)).toMatchObject({ name: bob.email, status: 'removed' })
  })
})

describeOnPostgres('with four eyes, a member who answers', () => {
  let app: TestApp
  let acme: Owner
  let ada: Person
  let bob: Person
  beforeAll(async () => {
    app = await createTestApp('postgres')
    acme = await app.organization()
    ada = await aMember(app, acme)
    bob = await aMember(app, acme, { role: 'approver' })
  })
  afterAll(() => app.stop())

  /** What Ada asks for a new agent, with her session. */
  async function askedByAda(): Promise<string> {
    const { agentId } = await anActiveMandate(acme, { rules: [{ type: 'approval', above: 5 }] })
    const answer = await ada.post('/api/v1/gateway/evaluate', aSpend(agentId))
    return approvalIdIn(JSON.parse(answer.text))
  }

  /** Ada makes a reset link for Bob. */
  async function linkForBob(tx: Tx, now: number): Promise<void> {
    const { organizationId } = acme
    const member = await findMember(tx, organizationId, toUuid('mem', bob.id) ?? '')
    if (!member) throw new Error('Bob is a member.')
    await createResetLink(tx, organizationId, member, toUuid('mem', ada.id) ?? '', now)
  }

  /** Bob answers while the organization is locked by a transaction that commits what `act` does. */
  async function answeredDuring(id: string, act: (tx: Tx, now: number) => Promise<unknown>) {
    const { db } = app.database
    const opened = await readClock(db)
    let answering: Promise<Answer> | undefined
    await db.transaction(async (tx) => {
      await tx.query(STAYS_OPEN)
      await lockOrganization(tx, acme.organizationId)
      await act(tx, opened)
      answering = bob.post(`/api/v1/approvals/${id}/decision`, { decision: 'approve' })
      await waitUntil(async () => (await countLockWaits(db)) > 0)
    })
    return answering
  }

  test('is refused where the asking member makes a reset link in that moment', async () => {
    await ada.patch('/api/v1/organization', { requireFourEyes: true })
    const id = await askedByAda()
    const refused = await answeredDuring(id, linkForBob)
    expect(refused?.body).toMatchObject({ code: 'four_eyes_required', why: 'link_by_asker' })
  })

  test('is refused where they are switched on in that moment', async () => {
    await ada.patch('/api/v1/organization', { requireFourEyes: false })
    const id = await askedByAda()
    await app.database.db.transaction(async (tx) => linkForBob(tx, await readClock(tx)))
    const refused = await answeredDuring(id, (tx) =>
      tx.query({
        text: 'update organizations set require_four_eyes = true where id = $1',
        values: [acme.organizationId],
      }),
    )
    expect(refused?.body).toMatchObject({ code: 'four_eyes_required', why: 'link_by_asker' })
  })
})
