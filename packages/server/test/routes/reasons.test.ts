import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { aKey, anActiveMandate, anAgent, bodyOf } from '../support/builders.ts'
import { watchChanges } from '../support/changes.ts'
import { aMember } from '../support/people.ts'

let app: TestApp
let acme: Owner

beforeAll(async () => {
  app = await createTestApp()
  acme = await app.organization()
})
afterAll(() => app.stop())

const FREE = { frozenAt: null, frozenBy: null, frozenByName: null, frozenReason: null }

async function organizationOf(owner: Owner) {
  return JSON.parse((await owner.get('/organization')).text)
}

test('the organization shows who froze it, when and why, until it is resumed', async () => {
  const globex = await app.organization()
  expect(await organizationOf(globex)).toMatchObject(FREE)
  const ada = await aMember(app, globex, { email: 'ada@example.com' })
  const body = { frozen: true, reason: 'Unexpected spends' }
  const frozen = bodyOf(await ada.patch('/api/v1/organization', body))
  const shown = {
    frozen: true,
    frozenAt: frozen.updatedAt,
    frozenBy: frozen.updatedBy,
    frozenByName: 'ada@example.com',
    frozenReason: 'Unexpected spends',
  }
  expect(frozen).toMatchObject(shown)
  expect(await organizationOf(globex)).toMatchObject(shown)
  expect(bodyOf(await globex.patch('/organization', { name: 'Renamed' }))).toMatchObject(shown)
  bodyOf(await globex.patch('/organization', { frozen: false }))
  expect(await organizationOf(globex)).toMatchObject({ ...FREE, frozen: false })
})

test('freezing again keeps the time and the author, and can add a reason', async () => {
  const globex = await app.organization()
  const first = bodyOf(await globex.patch('/organization', { frozen: true }))
  const { client } = await aKey(app, globex)
  bodyOf(await client.patch('/organization', { frozen: true }))
  bodyOf(await client.patch('/organization', { frozen: true, reason: 'Added later' }))
  expect(await organizationOf(globex)).toMatchObject({
    frozenAt: first.updatedAt,
    frozenBy: first.updatedBy,
    frozenReason: 'Added later',
  })
})

test('the change records have the reasons, and nothing of them twice', async () => {
  const globex = await app.organization()
  const agent = await anAgent(globex)
  const mandate = await anActiveMandate(globex)
  const changes = await watchChanges(app, globex)
  const [one, two, three, four] = ['Attack', 'Over', 'Broken loop', 'Project ended']
  bodyOf(await globex.patch('/organization', { frozen: true, reason: one }))
  bodyOf(await globex.patch('/organization', { frozen: true, reason: one }))
  bodyOf(await globex.patch('/organization', { frozen: false, reason: two }))
  bodyOf(await globex.patch(`/agents/${agent.id}`, { status: 'paused', reason: three }))
  bodyOf(await globex.patch(`/agents/${agent.id}`, { status: 'paused', reason: 'Again' }))
  bodyOf(await globex.post(`/mandates/${mandate.id}/revoke`, { reason: four }))
  expect((await changes()).map(({ before, after }) => ({ before, after }))).toEqual([
    { before: { frozen: false }, after: { frozen: true, reason: one } },
    { before: { frozen: true }, after: { frozen: false, reason: two } },
    { before: { status: 'active' }, after: { status: 'paused', reason: three } },
    { before: { status: 'active' }, after: { status: 'revoked', subMandates: 0, reason: four } },
  ])
})

test('a reason is refused without the change that it explains, and if it is too long', async () => {
  const { id } = await anAgent(acme)
  const mandate = await anActiveMandate(acme)
  const places = [
    ['/organization', { name: 'Acme' }, { frozen: true }],
    [`/agents/${id}`, { name: 'Agent' }, { status: 'paused' }],
  ] as const
  for (const [url, other, stop] of places) {
    const alone = await acme.patch(url, { ...other, reason: 'Why' })
    expect(alone.body.errors).toMatchObject([{ path: '/reason', code: 'not_allowed' }])
    const long = await acme.patch(url, { ...stop, reason: 'x'.repeat(501) })
    expect(long.body.errors).toMatchObject([{ path: '/reason', code: 'maxLength' }])
  }
  const long = await acme.post(`/mandates/${mandate.id}/revoke`, { reason: 'x'.repeat(501) })
  expect(long.status).toBe(400)
  bodyOf(await acme.post(`/mandates/${mandate.id}/revoke`, { reason: 'x'.repeat(500) }))
})
