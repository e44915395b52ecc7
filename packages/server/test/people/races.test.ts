import { afterAll, beforeAll, expect, test } from 'vitest'
import { toUuid } from '../../src/core/id.ts'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { describeOnPostgres } from '../support/database.ts'
import { aMember, type Person } from '../support/people.ts'
import { countLockWaits, holdLocks } from '../support/row-lock.ts'
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
