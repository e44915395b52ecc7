import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toPublicId } from '../src/core/id.ts'
import { changePlan } from '../src/operator/change-plan.ts'
import { createOwnerKey } from '../src/process/setup.ts'
import { createTestApp, type TestApp } from './support/app.ts'
import { bodyOf } from './support/builders.ts'
import { changesOf, watchChanges } from './support/changes.ts'

const BY_THE_OPERATOR = { kind: 'cli', id: null, name: null }

describe('the change record of operator commands', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await createTestApp()
  })
  afterAll(() => app?.stop())

  test('begins with the creation of the organization and its first key', async () => {
    const acme = await app.organization('Acme')
    const [made, key, ...others] = await changesOf(app, acme)
    expect(others).toEqual([])
    expect(made).toMatchObject({
      actor: BY_THE_OPERATOR,
      operation: 'organization.created',
      subjectId: toPublicId('org', acme.organizationId),
      before: null,
      after: { name: 'Acme', plan: 'self_hosted' },
    })
    expect(key).toMatchObject({ actor: BY_THE_OPERATOR, operation: 'api_key.created' })
    expect(key?.after).toMatchObject({ name: 'First key', scopes: null, agentIds: null })
    expect(bodyOf(await acme.get('/organization')).updatedBy).toBe('cli')
  })

  test('has further keys, and a change of the plan once', async () => {
    const { db } = app.database
    const acme = await app.organization()
    const organizationId = toPublicId('org', acme.organizationId)
    const since = await watchChanges(app, acme)
    const wanted = { organizationId, name: 'Found', scopes: ['keys:read' as const] }
    const { id } = await createOwnerKey({ db }, { environment: 'development' }, wanted)
    await changePlan({ db }, organizationId, 'pro')
    await changePlan({ db }, organizationId, 'pro')
    expect(await since()).toMatchObject([
      { actor: BY_THE_OPERATOR, operation: 'api_key.created', subjectId: id },
      {
        actor: BY_THE_OPERATOR,
        operation: 'organization.plan_changed',
        before: { plan: 'self_hosted' },
        after: { plan: 'pro' },
      },
    ])
  })
})

describe('a change of the organization', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await createTestApp()
  })
  afterAll(() => app?.stop())

  test('shows only the host of a webhook URL, which may contain secrets', async () => {
    const acme = await app.organization()
    const since = await watchChanges(app, acme)
    const address = 'http://127.0.0.1:9/hooks/T0KEN?key=S3CRET'
    bodyOf(await acme.patch('/organization', { webhookUrl: address }))
    bodyOf(await acme.patch('/organization', { webhookUrl: `${address}2` }))
    bodyOf(await acme.patch('/organization', { webhookUrl: 'http://127.0.0.1:9/', frozen: true }))
    const shown = 'http://127.0.0.1:9/…'
    expect((await since()).map(({ before, after }) => [before, after])).toEqual([
      [{ webhookUrl: null }, { webhookUrl: shown }],
      [{ webhookUrl: shown }, { webhookUrl: shown }],
      [
        { webhookUrl: shown, frozen: false },
        { webhookUrl: 'http://127.0.0.1:9/', frozen: true },
      ],
    ])
  })

  test('of its secret shows the first characters, and when the new secret takes effect', async () => {
    const acme = await app.organization()
    const before = bodyOf(await acme.get('/organization'))
    const since = await watchChanges(app, acme)
    const rotated = bodyOf(await acme.post('/organization/webhook-secret/rotate'))
    const [change] = await since()
    expect(change).toMatchObject({
      operation: 'organization.webhook_secret_rotated',
      subjectId: before.id,
      before: { webhookSecretHint: before.webhookSecretHint },
      after: { webhookSecretRotatedAt: rotated.webhookSecretRotatedAt },
    })
    expect(JSON.stringify(change?.after)).not.toContain(rotated.webhookSecret)
  })
})
