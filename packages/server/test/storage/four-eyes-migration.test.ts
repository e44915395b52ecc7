import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toUuid } from '../../src/core/id.ts'
import { MIGRATIONS_FOLDER } from '../../src/storage/engine/migrate.ts'
import { createTestApp, type TestApp } from '../support/app.ts'
import { bodyOf } from '../support/builders.ts'
import { aBrowser, aMember, PASSWORD } from '../support/people.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.stop())

/** Puts the tables back to what they were, and migrates them again. */
async function migrateAgain(): Promise<void> {
  await app.rows('drop table member_links')
  await app.rows(
    'alter table organizations drop column require_four_eyes, drop column approval_password_above',
  )
  const file = readdirSync(MIGRATIONS_FOLDER).find((name) => name.endsWith('-four-eyes.sql')) ?? ''
  for (const statement of readFileSync(join(MIGRATIONS_FOLDER, file), 'utf8').split(/;$/m)) {
    await app.rows(statement)
  }
}

test('who let members in before is known afterwards, as far as it was kept', async () => {
  const acme = await app.organization()
  const ada = await aMember(app, acme)
  const bob = await aMember(app, acme, { role: 'approver' })
  const invitation = { email: 'carol@example.com', role: 'viewer' }
  const { token } = bodyOf(await ada.post('/console/api/invitations', invitation))
  const joined = bodyOf(
    await aBrowser(app).post('/console/api/accept', { token, password: PASSWORD }),
  )
  bodyOf(await ada.post(`/console/api/members/${bob.id}/reset-link`))
  await migrateAgain()
  const [by, bobId, carolId] = [ada.id, bob.id, joined.member.id].map((id) => toUuid('mem', id))
  const links = await app.rows(
    'select member_id as "memberId", made_by as "madeBy" from member_links where organization_id = $1',
    [acme.organizationId],
  )
  expect(links).toHaveLength(2)
  expect(links).toEqual(
    expect.arrayContaining([
      { memberId: bobId, madeBy: by },
      { memberId: carolId, madeBy: by },
    ]),
  )
  expect(bodyOf(await acme.get('/organization'))).toMatchObject({ requireFourEyes: false })
})
