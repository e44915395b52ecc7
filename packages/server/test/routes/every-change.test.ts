import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toPublicId } from '../../src/core/id.ts'
import { secretPurpose } from '../../src/paths/x402/storage/sealed-values.ts'
import { createOwnerKey } from '../../src/process/setup.ts'
import { aWallet, WITHOUT_NODE } from '../paths/x402/payments.ts'
import { createTestApp, type TestApp } from '../support/app.ts'
import { aKey, anActiveMandate, bodyOf } from '../support/builders.ts'
import { watchChanges } from '../support/changes.ts'
import { listOperations, readDocument } from '../support/operations.ts'
import { aSpend } from '../support/spends.ts'
import { sealer } from '../support/tenant.ts'
import { FURTHER, SCENES, type SceneStage } from './change-scenes.ts'

const TOKEN = 'a-secret-of-the-receiver'

describe('every change by the API', () => {
  let app: TestApp
  const secrets: string[] = []
  beforeAll(async () => {
    app = await createTestApp(undefined, { ...WITHOUT_NODE, publicUrl: 'https://purser.example' })
  })
  afterAll(() => app?.stop())

  async function openStage(): Promise<SceneStage> {
    const acme = await app.organization()
    secrets.push(acme.apiKey, TOKEN)
    return {
      app,
      acme,
      hook: `http://127.0.0.1:9/${TOKEN}?key=${TOKEN}`,
      hide: (...all) => secrets.push(...all.filter((each) => typeof each === 'string')),
    }
  }

  test('is in the scenes: one for each operation that is no reading', async () => {
    const operations = listOperations(await readDocument(app.app))
    const changing = operations.filter(({ method }) => method !== 'GET')
    const names = changing.map(({ operationId }) => operationId)
    expect(Object.keys(SCENES).sort()).toEqual(names.sort())
  })

  test.each(Object.entries({ ...SCENES, ...FURTHER }))('%s', async (_, prepare) => {
    const stage = await openStage()
    const { act, kept } = await prepare(stage)
    const { data: keys } = bodyOf(await stage.acme.get('/api-keys'))
    const since = await watchChanges(app, stage.acme)
    const answer = await act()
    expect(answer.status, answer.text).toBe(200)
    const all = await since()
    // What the gateway does by itself for an agent, such as payment tokens, nobody has set.
    const changes = all.filter(({ actor }) => actor.kind !== 'system')
    if (!kept) return expect(changes).toEqual([])
    const subjectId = kept.subjectId ?? answer.body.id ?? organizationOf(stage)
    expect(changes).toMatchObject([{ operation: kept.operation, subjectId }])
    const { actor, before, after } = changes[0] ?? {}
    expect(actor).toMatchObject({ kind: 'key', name: 'First key' })
    expect(keys.some(({ id }) => id === toPublicId('key', actor?.id ?? ''))).toBe(true)
    expect(before ?? after).not.toBeNull()
  })

  const organizationOf = ({ acme }: SceneStage) => toPublicId('org', acme.organizationId)

  test('is kept without a secret', async () => {
    const stage = await openStage()
    const wallet = await aWallet(stage.acme)
    const [row] = await app.rows<{ id: string; address: string; sealed: Buffer }>(
      'select id, address, sealed_secret as sealed from wallets where organization_id = $1',
      [stage.acme.organizationId],
    )
    if (!row) throw new Error(`There is no wallet ${wallet.id}.`)
    const purpose = secretPurpose({ ...row, kind: 'local' })
    const privateKey = sealer.open(stage.acme.organizationId, purpose, row.sealed)
    const organizationId = organizationOf(stage)
    const wanted = { organizationId, name: 'By hand', scopes: null }
    const config = { environment: 'development' } as const
    const { apiKey } = await createOwnerKey({ db: app.database.db }, config, wanted)
    secrets.push(privateKey, apiKey)

    const rows = await app.rows<{ text: string }>(
      `select concat_ws(' ', actor_name, operation, subject_id, before, after) as text from changes`,
    )
    const text = rows.map((each) => each.text).join('\n')
    expect(text).toContain(wallet.address)
    const bare = secrets.flatMap((secret) => [secret, secret.replace(/^(0x|whsec_|wss_)/, '')])
    expect(new Set(secrets).size).toBeGreaterThan(10)
    expect(bare.filter((secret) => text.includes(secret))).toEqual([])
  })
})

describe('what an agent does with its own key', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await createTestApp()
  })
  afterAll(() => app?.stop())

  test('is no change of its organization', async () => {
    const acme = await app.organization()
    const { id: mandateId, agentId } = await anActiveMandate(acme)
    const scopes = ['gateway:write', 'transactions:write']
    const { client } = await aKey(app, acme, { agentIds: [agentId], scopes })
    const since = await watchChanges(app, acme)
    const spend = { ...aSpend(agentId), hold: { expiresIn: '1h' } }
    const held = bodyOf(await client.post('/gateway/evaluate', spend))
    bodyOf(await client.post(`/transactions/${held.transactionId}/settle`))
    const other = bodyOf(await client.post('/gateway/evaluate', spend))
    bodyOf(await client.post(`/transactions/${other.transactionId}/void`))
    bodyOf(await client.post('/gateway/mandate-token/revoke', { mandateId }))
    expect(await since()).toEqual([])
  })
})

describe('what is kept', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await createTestApp()
  })
  afterAll(() => app?.stop())

  test('of rules that change is the rule that differs, by its id', async () => {
    const acme = await app.organization()
    const hosts = Array.from({ length: 500 }, (_, n) => `shop-${n}.example.com`)
    const vendors = { id: 'shops', type: 'vendors', allow: hosts }
    const rules = (max: number) => [vendors, { id: 'cap', type: 'amount', max }]
    const { id } = await anActiveMandate(acme, { rules: rules(20) })
    const since = await watchChanges(app, acme)
    bodyOf(await acme.patch(`/mandates/${id}`, { rules: rules(30) }))
    const [change] = await since()
    expect([change?.before, change?.after]).toEqual([
      { 'rules.cap.max': 20 },
      { 'rules.cap.max': 30 },
    ])
  })

  test('of money that is settled is what it was and what it is', async () => {
    const acme = await app.organization()
    const { agentId } = await anActiveMandate(acme)
    const spend = { ...aSpend(agentId), amount: 10, hold: { expiresIn: '1h' } }
    const { transactionId } = bodyOf(await acme.post('/gateway/evaluate', spend))
    const since = await watchChanges(app, acme)
    bodyOf(await acme.post(`/transactions/${transactionId}/settle`, { amount: 7 }))
    const [change] = await since()
    expect([change?.before, change?.after]).toEqual([
      { status: 'held', heldAmount: 10, settledAmount: 0 },
      { status: 'settled', heldAmount: 0, settledAmount: 7 },
    ])
  })

  test('of a key that is revoked with those it made is how many there were', async () => {
    const acme = await app.organization()
    const { key, client } = await aKey(app, acme)
    await aKey(app, client)
    const since = await watchChanges(app, acme)
    bodyOf(await acme.delete(`/api-keys/${key.id}?withDescendants=true`))
    const [change] = await since()
    expect(change?.before).toMatchObject({ name: key.name, prefix: key.prefix })
    expect(change?.after).toEqual({ revoked: true, revokedKeys: 2 })
  })
})
