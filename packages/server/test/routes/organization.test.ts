import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { PACKAGE_FOLDER } from '../../src/base/package-folder.ts'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { aKey, anAgent, bodyOf, setPlan } from '../support/builders.ts'
import { describeOnPostgres } from '../support/database.ts'

let app: TestApp
let acme: Owner

beforeAll(async () => {
  app = await createTestApp()
  acme = await app.organization('Acme')
})
afterAll(() => app.stop())

describe('the organization', () => {
  test('shows its settings and never the webhook secret', async () => {
    const { body, text } = await acme.get('/organization')
    expect(body).toMatchObject({
      name: 'Acme',
      plan: 'self_hosted',
      timezone: 'UTC',
      currency: 'USD',
      frozen: false,
      webhookUrl: null,
    })
    expect(body.id.replace('org_', '')).toBe(acme.organizationId.replaceAll('-', ''))
    expect(body.webhookSecretHint).toMatch(/^whsec_.{4}$/)
    expect(text.match(/whsec_[^"]*/g)).toEqual([body.webhookSecretHint])
  })

  test('shows the environment, address, version and retries of the gateway', async () => {
    const { version } = JSON.parse(await readFile(join(PACKAGE_FOLDER, 'package.json'), 'utf8'))
    const fields = { environment: 'development', version, webhookRetryDelays: [5, 30, 180, 1_080] }
    expect(bodyOf(await acme.get('/organization'))).toMatchObject(fields)
    const publicUrl = 'https://purser.example.com'
    const other = await createTestApp(undefined, {
      publicUrl,
      environment: 'production',
      webhooks: { retryDelaysMs: [1_500] },
    })
    onTestFinished(other.stop)
    const globex = await other.organization('Globex')
    const shown = { publicUrl, environment: 'production', version, webhookRetryDelays: [1.5] }
    expect(bodyOf(await globex.get('/organization'))).toMatchObject(shown)
  })

  test('changes the settings that are named and leaves the others', async () => {
    const globex = await app.organization('Globex')
    const { updatedByName: _, ...before } = Object(bodyOf(await globex.get('/organization')))
    const change = {
      name: 'Globex AG',
      timezone: 'Europe/Zurich',
      currency: 'CHF',
      frozen: true,
      webhookUrl: 'https://hooks.example.com/purser?x=1',
    }
    const { data: keys } = bodyOf(await globex.get('/api-keys'))
    const updatedAt = expect.any(String)
    const [key] = keys
    const freeze = { frozenAt: updatedAt, frozenBy: key?.id, frozenByName: key?.name }
    const after = { ...before, ...change, ...freeze, updatedAt, updatedBy: key?.id }
    const webhookEndpoints = [expect.objectContaining({ url: change.webhookUrl, status: 'active' })]
    expect(bodyOf(await globex.patch('/organization', change))).toEqual({
      ...after,
      webhookEndpoints,
    })
    await globex.patch('/organization', { webhookUrl: null })
    const named = { ...after, updatedByName: 'First key', webhookUrl: null }
    expect(bodyOf(await globex.get('/organization'))).toEqual(named)
    expect(bodyOf(await acme.get('/organization')).name).toBe('Acme')
  })

  test.each([
    ['plan', 'scale'],
    ['id', 'org_1'],
    ['webhookSecret', 'whsec_mine'],
    ['webhookSecretHint', 'x'],
    ['createdAt', '2026-01-01T00:00:00Z'],
  ])('refuses %s, which is not for callers to set', async (field, value) => {
    const { status, body } = await acme.patch('/organization', { [field]: value })
    expect(status).toBe(400)
    expect(body.errors).toMatchObject([{ path: `/${field}`, code: 'unknown_field' }])
  })

  test.each([
    ['webhookUrl', 'ftp://example.com'],
    ['webhookUrl', 'https://user:pass@example.com'],
    ['webhookUrl', 'https://example.com/#part'],
    ['webhookUrl', `https://example.com/${'x'.repeat(2_048)}`],
    ['webhookUrl', 'hooks'],
    ['timezone', 'Berlin'],
    ['currency', 'EURO'],
    ['frozen', 'true'],
    ['frozen', 1],
    ['name', ''],
    ['name', 'x'.repeat(121)],
  ])('refuses %s of %j and names the field', async (field, value) => {
    const { status, body } = await acme.patch('/organization', { [field]: value })
    expect(status).toBe(400)
    expect(body.errors[0]?.path).toBe(`/${field}`)
  })

  test('needs the scope of the organization', async () => {
    const { client } = await aKey(app, acme, { scopes: ['organization:read'] })
    expect((await client.get('/organization')).status).toBe(200)
    expect((await client.patch('/organization', { frozen: true })).status).toBe(403)
  })
})

describe('the usage of the plan', () => {
  test('counts agents and evaluations, and says when it resets', async () => {
    const globex = await app.organization('Globex')
    await anAgent(globex)
    const { id } = await anAgent(globex)
    await globex.delete(`/agents/${id}`)
    app.clock.now = Date.parse('2027-12-31T23:59:59.999Z')
    await app.rows('insert into plan_usage values ($1, $2, 42)', [
      globex.organizationId,
      '2027-12-01',
    ])
    const december = bodyOf(await globex.get('/organization/usage'))
    app.clock.now = Date.parse('2028-01-01T00:00:00Z')
    const january = bodyOf(await globex.get('/organization/usage'))
    app.clock.now = undefined
    expect(december).toEqual({
      plan: 'self_hosted',
      evaluations: { used: 42, limit: null },
      agents: { used: 1, limit: null },
      requestsPerMinute: { limit: null },
      periodStart: '2027-12-01T00:00:00.000Z',
      resetsAt: '2028-01-01T00:00:00.000Z',
    })
    expect(january.evaluations.used).toBe(0)
  })

  test.each([
    ['free', 1_000, 60, 5],
    ['pro', 50_000, 600, 50],
    ['scale', 1_000_000, 6_000, 1_000],
  ] as const)('has the limits of the plan %s', async (plan, evaluations, requests, agents) => {
    const owner = await app.organization()
    await setPlan(app, owner, plan)
    expect(bodyOf(await owner.get('/organization/usage'))).toMatchObject({
      plan,
      evaluations: { limit: evaluations },
      requestsPerMinute: { limit: requests },
      agents: { limit: agents },
    })
  })

  test('is not for a key that is bound to agents', async () => {
    const { client } = await aKey(app, acme, { agentIds: [(await anAgent(acme)).id] })
    expect((await client.get('/organization/usage')).status).toBe(403)
  })
})

describe('the number of agents of a plan', () => {
  test('is a limit, and deleting an agent makes room for one', async () => {
    const owner = await app.organization()
    await setPlan(app, owner, 'free')
    const agents = []
    for (let n = 0; n < 5; n++) agents.push(await anAgent(owner))
    const { status, body } = await owner.post('/agents', { name: 'Sixth' })
    expect([status, body.code]).toEqual([429, 'plan_limit_exceeded'])
    expect(body).toMatchObject({ plan: 'free', limit: 5, used: 5 })
    await owner.delete(`/agents/${agents[0]?.id}`)
    await anAgent(owner)
    expect((await owner.post('/agents', { name: 'Sixth' })).status).toBe(429)
  })
})

describeOnPostgres('the number of agents of a plan', () => {
  test('is exact when many are registered at once', async () => {
    const server = await createTestApp('postgres')
    const owner = await server.organization()
    await setPlan(server, owner, 'free')
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => owner.post('/agents', { name: 'Rush' })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(15)
    expect(bodyOf(await owner.get('/agents')).total).toBe(5)
    await server.stop()
  })
})
