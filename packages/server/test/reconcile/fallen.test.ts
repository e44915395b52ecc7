import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { toPublicId } from '../../src/core/id.ts'
import { type Reconciled, reconcile } from '../../src/operator/reconcile.ts'
import { listUnsealed } from '../../src/storage/reconcile/log-rows.ts'
import { createSealer } from '../../src/storage/secrets/sealed.ts'
import { startUrlSealing } from '../../src/webhooks/seal-urls.ts'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { sealAll } from '../support/audit-log.ts'
import { aKey, anActiveMandate, bodyOf } from '../support/builders.ts'
import { aCard, aConnection } from '../support/cards.ts'
import { aMember } from '../support/people.ts'
import { silentLog } from '../support/silent-log.ts'
import { evaluate } from '../support/spends.ts'
import { waitUntil } from '../support/wait-until.ts'

let app: TestApp
let acme: Owner
beforeAll(async () => {
  app = await createTestApp(undefined, { publicUrl: 'https://purser.example' })
})
afterAll(() => app?.stop())
beforeEach(async () => {
  acme = await app.organization()
})

function run(): Promise<Reconciled> {
  return reconcile(app.database, toPublicId('org', acme.organizationId))
}

async function aRemovedConnection(): Promise<string> {
  const { id } = await aConnection(acme)
  await aCard(acme, { connectionId: id })
  await sealAll(app)
  for (const status of ['disabled', 'removed']) {
    bodyOf(await acme.patch(`/card-connections/${id}`, { status }))
  }
  return id
}

test('cards that were closed with a removed connection agree', async () => {
  await aRemovedConnection()
  await sealAll(app)
  expect(await run()).toMatchObject({ kind: 'agrees', text: null })
})

test('a card that was closed in the database, as if with its connection, differs', async () => {
  const { id } = await aConnection(acme)
  await aCard(acme, { connectionId: id })
  await sealAll(app)
  await app.rows(
    `update cards c set status = 'closed', status_reason = 'connection_removed',
                        updated_at = n.updated_at, updated_by = n.updated_by
     from card_connections n where n.organization_id = $1 and c.organization_id = $1`,
    [acme.organizationId],
  )
  expect((await run()).text).toMatch(/^cards\./)
})

test('rows that ended with something else whose end is not sealed yet agree, and are counted', async () => {
  await aRemovedConnection()
  const parent = await anActiveMandate(acme)
  const child = await anActiveMandate(acme, { parentMandateId: parent.id })
  await aCard(acme, { agentId: child.agentId })
  const { client: maker } = await aKey(app, acme)
  bodyOf(await maker.post('/api-keys', { name: 'Made by another' }))
  await sealAll(app)
  const { data: keys } = bodyOf(await acme.get('/api-keys'))
  const made = keys.find(({ name }) => name === 'Made by another')
  bodyOf(await acme.post(`/mandates/${parent.id}/revoke`))
  bodyOf(await acme.delete(`/api-keys/${made?.createdBy}?withDescendants=true`))
  bodyOf(await acme.delete(`/agents/${child.agentId}`))
  const { kind, text, counts } = await run()
  expect({ kind, text }).toEqual({ kind: 'agrees', text: null })
  // The ends themselves, and a mandate, a card and a key that ended with them.
  expect(counts.unsealed).toBe(6)
})

test('a decision that is not sealed yet counts once toward the limit', async () => {
  const { agentId } = await anActiveMandate(acme)
  await sealAll(app)
  const [log] = await app.rows<{ last: bigint }>(
    'select last_number as last from audit_logs where organization_id = $1',
    [acme.organizationId],
  )
  for (const amount of [1, 2]) await evaluate(acme, agentId, { amount })
  const { db } = app.database
  const unsealed = (most: number) => listUnsealed(db, acme.organizationId, log?.last ?? 0n, most)
  expect(await unsealed(3)).toMatchObject({ isCut: false })
  expect((await unsealed(3)).subjects).toHaveLength(2)
  expect(await unsealed(2)).toMatchObject({ isCut: true })
})

test('a password-reset link is covered by the change record of its member', async () => {
  const [owner, admin] = [await aMember(app, acme), await aMember(app, acme, { role: 'admin' })]
  await sealAll(app)
  bodyOf(await owner.post(`/console/api/members/${admin.id}/reset-link`))
  expect(await run()).toMatchObject({ kind: 'agrees', text: null })
  await sealAll(app)
  expect(await run()).toMatchObject({ kind: 'agrees', text: null })
  await app.rows(`update invitations set created_at = created_at + interval '1 minute'`)
  expect((await run()).text).toMatch(/in invitations has no leaf/)
})

/** An organization whose webhook URL was in clear text at its last leaf and was encrypted later. */
async function aSealedUrl(): Promise<void> {
  const { organizationId } = acme
  bodyOf(await acme.patch('/organization', { webhookUrl: 'https://hooks.example.com/earlier' }))
  const url = 'https://hooks.example.com/path'
  await app.rows('update organizations set webhook_url = $2, webhook_url_id = null where id = $1', [
    organizationId,
    url,
  ])
  bodyOf(await acme.patch('/organization', { name: 'Another name' }))
  await sealAll(app)
  await app.rows(
    `insert into webhook_url_sealings (organization_id, after_id)
     values ($1, '00000000-0000-0000-0000-000000000000')`,
    [organizationId],
  )
  const sealer = createSealer(Buffer.alloc(32, 7))
  const { db } = app.database
  const sealing = startUrlSealing({ db, sealer, clock: app.time.read, log: silentLog })
  await waitUntil(async () => (await app.rows('select 1 from webhook_url_sealings')).length === 0)
  await sealing.stop()
}

test('a webhook URL that was encrypted after its last change agrees', async () => {
  await aSealedUrl()
  expect(await run()).toMatchObject({ kind: 'agrees', text: null })
})

test('a webhook URL that was replaced by an earlier one differs', async () => {
  await aSealedUrl()
  bodyOf(await acme.patch('/organization', { name: 'A third name' }))
  await sealAll(app)
  await app.rows(
    `update organizations set webhook_url_id = (
       select u.id from webhook_urls u where u.organization_id = $1 order by u.id limit 1)
     where id = $1`,
    [acme.organizationId],
  )
  expect((await run()).text).toContain('organizations.webhook_url_id')
})
