import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { prepareSetup } from '../../src/people/prepare-setup.ts'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { bodyOf } from '../support/builders.ts'
import { changesOf } from '../support/changes.ts'
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
const setUp = (token: string, email = 'ada@example.com', more: object = {}) =>
  aBrowser(app).post('/console/api/setup', { token, email, password: PASSWORD, ...more })

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

describe('the settings of the organization in a set-up', () => {
  test('change in the same request, and the owner is the author', async () => {
    await prepare('here')
    const settings = { organization: 'Acme AG', timezone: 'Europe/Berlin', currency: 'EUR' }
    const answer = await setUp(await tokenIn('here'), undefined, settings)
    expect(answer.body.organization).toMatchObject({ name: 'Acme AG' })
    const shown = { name: 'Acme AG', timezone: 'Europe/Berlin', currency: 'EUR' }
    const organization = bodyOf(await acme.get('/organization'))
    expect(organization).toMatchObject({ ...shown, updatedBy: answer.body.member.id })
    const [updated] = (await changesOf(app, acme)).filter(
      ({ operation }) => operation === 'organization.updated',
    )
    expect(updated).toMatchObject({ actor: { kind: 'member' }, after: shown })
  })

  test('are optional, and an omitted one keeps its value', async () => {
    await prepare('here')
    await setUp(await tokenIn('here'), undefined, { currency: 'SEK' })
    const kept = { timezone: 'UTC', currency: 'SEK' }
    expect(bodyOf(await acme.get('/organization'))).toMatchObject(kept)
  })

  test.each([
    ['organization', 'Ac\u00adme'],
    ['timezone', 'Mars/Base'],
    ['currency', 'XXQ'],
  ])('are checked before the link is used: %s', async (field, value) => {
    await prepare('here')
    const token = await tokenIn('here')
    const refused = await setUp(token, undefined, { [field]: value })
    expect([refused.status, refused.body.errors?.[0]?.path]).toEqual([
      field === 'organization' ? 422 : 400,
      `/${field}`,
    ])
    expect((await setUp(token)).status).toBe(200)
  })
})
