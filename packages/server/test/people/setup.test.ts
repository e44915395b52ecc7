import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { prepareSetup } from '../../src/people/prepare-setup.ts'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { createTemporaryFolder } from '../support/database.ts'
import { aBrowser, aMember, PASSWORD } from '../support/people.ts'

let app: TestApp
let acme: Owner
let folder: Awaited<ReturnType<typeof createTemporaryFolder>>
beforeEach(async () => {
  app = await createTestApp()
  acme = await app.organization()
  folder = await createTemporaryFolder()
})
afterEach(async () => {
  await app.stop()
  await folder.remove()
})

const prepare = (place: string) => prepareSetup(app.database.db, join(folder.path, place))
const tokenIn = async (place: string) =>
  (await readFile(join(folder.path, place, 'setup-token'), 'utf8')).trim()
const setUp = (token: string, email = 'ada@example.com') =>
  aBrowser(app).post('/console/api/setup', { token, email, password: PASSWORD })

test('of processes that start at once, one makes the token of the first owner', async () => {
  const files = await Promise.all(['one', 'two', 'three'].map(prepare))
  expect(files.filter((file) => file !== undefined)).toHaveLength(1)
  expect(await app.rows('select 1 from invitations')).toHaveLength(1)
})

test('a token that is too old is replaced, and one of another database is not named', async () => {
  await prepare('here')
  const first = await tokenIn('here')
  expect(await prepare('elsewhere')).toBeUndefined()
  await app.rows(`update invitations set expires_at = now() - interval '1 second'`)
  expect((await setUp(first)).body.code).toBe('link_ended')
  expect(await prepare('here')).toBeDefined()
  const second = await tokenIn('here')
  expect(second).not.toBe(first)
  expect((await setUp(second)).body.member.role).toBe('owner')
  expect(await prepare('here')).toBeUndefined()
})

test('of two who set up at once, one becomes the owner', async () => {
  await prepare('here')
  const token = await tokenIn('here')
  const answers = await Promise.all([setUp(token), setUp(token, 'bob@example.com')])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 410])
})

test('whoever was invited first has set the organization up', async () => {
  await prepare('here')
  await aMember(app, acme)
  expect((await setUp(await tokenIn('here'))).body.code).toBe('link_ended')
  expect(await prepare('here')).toBeUndefined()
})
