import { expect, test } from 'vitest'
import { toPublicId } from '../../src/core/id.ts'
import { changePlan } from '../../src/operator/change-plan.ts'
import { readChanges } from '../../src/operator/read-changes.ts'
import { findInstrument, findUsedInstrument } from '../../src/paths/acp/storage/instruments.ts'
import {
  findMerchant,
  findMerchantById,
  findMerchantPaidAs,
} from '../../src/paths/acp/storage/merchants.ts'
import { findVendorOf } from '../../src/paths/card/storage/vendor-of-merchant.ts'
import { createOrganization, createOwnerKey, readOrganizations } from '../../src/process/setup.ts'
import { listChangesAfter } from '../../src/storage/changes.ts'
import { newId } from '../../src/storage/new-id.ts'
import { countOrganizations, lockInstallation } from '../../src/storage/organizations.ts'
import { openSealer } from '../../src/storage/secrets/master-key.ts'
import { createSealer } from '../../src/storage/secrets/sealed.ts'
import { aKey, anActiveMandate, anAgent, bodyOf } from '../support/builders.ts'
import { waitUntil } from '../support/wait-until.ts'
import type { Flow } from './stage.ts'

/** Everything around the money: the installation, organizations, keys, agents, the directory. */
export const peopleFlow: Flow = (stage) => {
  test('an installation is set up once, with its master key', async () => {
    const { db } = stage()
    const keys = { given: Buffer.alloc(32, 7), previous: undefined, dataDir: '' }
    const sealer = await openSealer(db, keys)
    const before = await countOrganizations(db)
    await createOrganization({ db, sealer }, { environment: 'development' }, 'First')
    const counted = db.transaction(async (tx) => {
      await lockInstallation(tx)
      return countOrganizations(tx)
    })
    expect(await counted).toBe(before + 1)
    const other = { ...keys, given: Buffer.alloc(32, 8) }
    await expect(openSealer(db, other)).rejects.toThrow('master key')
  })

  test('an organization is moved to another plan, which its keys follow', async () => {
    const { app, db } = stage()
    const acme = await app.organization()
    await changePlan({ db }, toPublicId('org', acme.organizationId), 'free')
    const moved = { plan: 'free', updatedBy: 'cli' }
    expect(bodyOf(await acme.get('/organization'))).toMatchObject(moved)
    await waitUntil(async () => (await acme.get('/agents')).headers['ratelimit-limit'] === '60')
    const nobody = changePlan({ db }, toPublicId('org', newId(Date.now())), 'pro')
    await expect(nobody).rejects.toThrow('There is no organization')
    await expect(changePlan({ db }, 'acme', 'pro')).rejects.toThrow('is not an id')
  })

  test('an organization is found again by its operator, who makes another key', async () => {
    const { app, db } = stage()
    const acme = await app.organization('Lost')
    const organizationId = toPublicId('org', acme.organizationId)
    const listed = await readOrganizations({ db })
    expect(listed.find((each) => each.organizationId === organizationId)).toMatchObject({
      name: 'Lost',
      plan: 'self_hosted',
    })
    const development = { environment: 'development' } as const
    const made = await createOwnerKey({ db }, development, {
      organizationId,
      name: 'Found',
      scopes: ['keys:read'],
    })
    const [latest] = await readChanges({ db }, organizationId, 1)
    expect(latest).toMatchObject({ operation: 'api_key.created', actor: 'cli' })
    const { data } = bodyOf(await app.client(made.apiKey).get('/api-keys'))
    const scopes = ['keys:read']
    expect(data[0]).toMatchObject({ id: made.id, name: 'Found', scopes, createdBy: 'cli' })
    expect((await app.client(made.apiKey).get('/agents')).status).toBe(403)
    const make = (id: string | undefined) =>
      createOwnerKey({ db }, development, { organizationId: id, name: 'x', scopes: null })
    await expect(make(undefined)).rejects.toThrow(
      'There are several organizations: choose one with --org',
    )
    await expect(make('acme')).rejects.toThrow('is not an id')
    await expect(make(`org_${'0'.repeat(32)}`)).rejects.toThrow('There is no organization')
  })

  test('an organization is renamed, counted and given another secret', async () => {
    const acme = await stage().app.organization()
    bodyOf(await acme.patch('/organization', { name: 'Acme AG', currency: 'CHF' }))
    expect(bodyOf(await acme.get('/organization'))).toMatchObject({ name: 'Acme AG' })
    expect(bodyOf(await acme.get('/organization/usage'))).toMatchObject({ agents: { used: 0 } })
    const { webhookSecret } = bodyOf(await acme.post('/organization/webhook-secret/rotate'))
    expect(webhookSecret).toMatch(/^whsec_/)
  })

  test('an organization is given ways to pay, which its agents find', async () => {
    const { app, db } = stage()
    const acme = await app.organization()
    const { id: agentId } = await anAgent(acme)
    const card = { id: 'card', label: 'Card', issuer: 'stripe', paymentMethod: 'pm_1' }
    const instruments = [{ ...card, credential: 'sk_test_1234', agentIds: [agentId] }]
    bodyOf(await acme.patch('/organization', { acp: { instruments } }))
    expect(bodyOf(await acme.get('/organization')).acp).toMatchObject({ instruments: [card] })
    const parts = { db, sealer: createSealer(Buffer.alloc(32, 7)) }
    const found = await findInstrument(parts, acme.organizationId, { id: null, agentId })
    expect(found).toMatchObject({ id: 'card', credential: 'sk_test_1234' })
    expect(await findUsedInstrument(parts, acme.organizationId, 'card')).toEqual(found)
  })

  test('a key is made for an agent, used, listed and revoked', async () => {
    const { app } = stage()
    const acme = await app.organization()
    const { id: agentId } = await anAgent(acme)
    const { key, client } = await aKey(app, acme, { agentIds: [agentId] })
    bodyOf(await client.get(`/agents/${agentId}`))
    const used = async () => {
      const { data } = bodyOf(await acme.get('/api-keys'))
      return data.find(({ id }) => id === key.id)?.lastUsedAt
    }
    await waitUntil(async () => typeof (await used()) === 'string')
    const next = bodyOf(await acme.post('/api-keys', { replaces: key.id, overlapSeconds: 60 }))
    expect(bodyOf(await acme.get(`/api-keys?agentId=${agentId}`)).total).toBe(2)
    bodyOf(await app.client(next.apiKey).get(`/agents/${agentId}`))
    bodyOf(await acme.delete(`/api-keys/${key.id}?withDescendants=true`))
    await waitUntil(async () => (await client.get('/agents')).status === 401)
  })

  test('an agent is changed, and deleted with its mandates and its binding', async () => {
    const { app, db } = stage()
    const acme = await app.organization()
    const { agentId, id: mandateId } = await anActiveMandate(acme)
    const { client } = await aKey(app, acme, { agentIds: [agentId] })
    bodyOf(await acme.patch(`/agents/${agentId}`, { name: 'Renamed', tags: ['a'] }))
    expect(bodyOf(await acme.get('/agents?tag=a')).data).toMatchObject([{ name: 'Renamed' }])
    bodyOf(await acme.delete(`/agents/${agentId}`))
    const kept = await listChangesAfter(db, acme.organizationId, 0n, 100)
    const ofAgent = kept.filter(({ subjectId }) => subjectId === agentId)
    expect(ofAgent.map(({ operation }) => operation)).toEqual([
      'agent.created',
      'agent.updated',
      'agent.deleted',
    ])
    expect((await acme.get(`/agents/${agentId}`)).status).toBe(404)
    expect(bodyOf(await acme.get(`/mandates/${mandateId}`)).status).toBe('revoked')
    await waitUntil(async () => (await client.get('/agents')).status === 401)
  })

  test('a vendor is entered in the directory and changed', async () => {
    const { app, db } = stage()
    const acme = await app.organization()
    const { id } = bodyOf(await acme.post('/vendors', { host: 'api.vendor.example' }))
    const cardAliases = [{ name: 'VENDOR INC' }]
    bodyOf(await acme.patch(`/vendors/${id}`, { name: 'Vendor', cardAliases }))
    expect(bodyOf(await acme.get('/vendors')).data).toMatchObject([{ id, name: 'Vendor' }])
    const merchant = { network: null, id: null, name: 'Vendor Inc 12345' }
    const known = await findVendorOf(db, acme.organizationId, merchant)
    expect(known).toMatchObject({ host: 'api.vendor.example', matchedBy: 'name' })
  })

  test('a shop that speaks ACP is entered, found, changed and taken out', async () => {
    const { app, db } = stage()
    const acme = await app.organization()
    const host = '1.1.1.1'
    const acp = { apiBaseUrl: 'https://1.1.1.1/acp', version: '2026-04-17', merchantIds: ['m1'] }
    const secrets = { credential: 'shop-credential', webhookSecret: 'whsec_of_the_shop_1' }
    bodyOf(await acme.post('/vendors', { host, acp: { ...acp, ...secrets } }))
    const parts = { db, sealer: createSealer(Buffer.alloc(32, 7)) }
    const { organizationId } = acme
    const found = await findMerchant(parts, organizationId, host)
    expect(found).toMatchObject({ ...acp, ...secrets })
    expect(await findMerchantById(parts, organizationId, found?.vendorId ?? '')).toEqual(found)
    expect(await findMerchantPaidAs(parts, organizationId, 'm1')).toEqual(found)
    const other = bodyOf(await acme.post('/vendors', { host: '1.0.0.1' }))
    const there = { ...acp, ...secrets, apiBaseUrl: 'https://1.0.0.1/acp' }
    bodyOf(await acme.patch(`/vendors/${other.id}`, { acp: there }))
    bodyOf(await acme.patch(`/vendors/${other.id}`, { acp: { rotateOrderToken: true } }))
    bodyOf(await acme.patch(`/vendors/${other.id}`, { acp: null }))
    expect(await findMerchant(parts, organizationId, '1.0.0.1')).toBeUndefined()
  })

  test('a change is made once per Idempotency-Key', async () => {
    const acme = await stage().app.organization()
    const create = () => acme.post('/agents', { name: 'Once' }, { 'idempotency-key': 'once' })
    const [first, second] = [await create(), await create()]
    expect(second.text).toBe(first.text)
    expect(bodyOf(await acme.get('/agents')).data).toHaveLength(1)
  })
}
