import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { CONNECTIONS_MAX } from '../../../../src/paths/card/registry/connection.ts'
import { createTestApp, type Owner, type TestApp } from '../../../support/app.ts'
import { aKey, anAgent, bodyOf } from '../../../support/builders.ts'
import { aConnection, SECRETS } from '../../../support/cards.ts'

const NO_CONNECTION = 'conn_019a85617c5e7d409b5e6f1f0a3c2b11'
const LITHIC = { provider: 'lithic' }
const GENERIC = { provider: 'generic' }

describe('a connection to an issuer', () => {
  let app: TestApp
  let acme: Owner

  beforeAll(async () => {
    app = await createTestApp()
    acme = await app.organization()
  })
  afterAll(() => app.stop())

  const make = (fields: object) =>
    acme.post('/card-connections', { provider: 'stripe', name: 'Issuer', ...fields })

  test('needs a name and an issuer; everything else has a default', async () => {
    const connection = await aConnection(acme)
    expect(connection).toEqual({
      id: expect.stringMatching(/^conn_[0-9a-f]{32}$/),
      provider: 'stripe',
      livemode: false,
      name: 'Issuer',
      status: 'active',
      failMode: 'closed',
      failOpenMaxAmount: null,
      deadlineMs: 1_200,
      partialApprovals: false,
      pauseOnOverCapture: false,
      secrets: { authorization: null, events: null },
      ingest: {
        authorizationUrl: expect.stringMatching(
          /^http:\/\/localhost\/ingest\/stripe\/[\w-]{43}\/authorization$/,
        ),
        eventsUrl: expect.stringMatching(/^http:\/\/localhost\/ingest\/stripe\/[\w-]{43}\/events$/),
      },
      health: {
        lastRequestAt: null,
        lastEventAt: null,
        p95Ms: null,
        signatureFailures24h: 0,
        timeouts24h: 0,
        ungoverned24h: 0,
        unknownCards24h: 0,
        unknownCards: [],
        otherCurrency24h: 0,
        unlinkedRefunds24h: 0,
        unreadableEvents24h: 0,
        flagged: [],
        warnings: [],
      },
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      updatedBy: expect.stringMatching(/^key_/),
    })
    const lithic = await aConnection(acme, LITHIC)
    expect(lithic).toMatchObject({ deadlineMs: 2_000 })
    expect(lithic.ingest?.authorizationUrl).toMatch(
      /^http:\/\/localhost\/ingest\/lithic\/[\w-]{43}\/asa$/,
    )
    expect(await aConnection(acme, GENERIC)).toMatchObject({ deadlineMs: 1_500, ingest: null })
  })

  test('has whole addresses where it is known how the gateway is reached', async () => {
    const reached = await createTestApp(undefined, { publicUrl: 'https://purser.example' })
    onTestFinished(reached.stop)
    const owner = await reached.organization('Reached')
    const { id, ingest } = await aConnection(owner)
    expect(ingest?.authorizationUrl).toMatch(
      /^https:\/\/purser\.example\/ingest\/stripe\/[\w-]{43}\/authorization$/,
    )
    const hidden = 'https://purser.example/ingest/stripe/…/events'
    expect(bodyOf(await owner.get('/card-connections')).data[0]?.ingest?.eventsUrl).toBe(hidden)
    const renamed = await owner.patch(`/card-connections/${id}`, { name: 'Other' })
    expect(bodyOf(renamed).ingest?.eventsUrl).toBe(hidden)
  })

  test('is listed newest first, without its token, and filtered', async () => {
    const owner = await app.organization('Listed')
    const made = [await aConnection(owner), await aConnection(owner, LITHIC)]
    const listed = bodyOf(await owner.get('/card-connections')).data
    expect(listed.map(({ id }) => id)).toEqual(made.map(({ id }) => id).reverse())
    expect(listed[1]?.ingest).toEqual({
      authorizationUrl: 'http://localhost/ingest/stripe/…/authorization',
      eventsUrl: 'http://localhost/ingest/stripe/…/events',
    })
    const ids = async (query: string) =>
      bodyOf(await owner.get(`/card-connections?${query}`)).data.map(({ id }) => id)
    expect(await ids('provider=stripe')).toEqual([made[0]?.id])
    expect(await ids('status=disabled')).toEqual([])
  })

  test('is changed field by field', async () => {
    const { id } = await aConnection(acme)
    const change = (fields: object) => acme.patch(`/card-connections/${id}`, fields)
    const open = { failMode: 'open', failOpenMaxAmount: 20, deadlineMs: 800 }
    expect(bodyOf(await change(open))).toMatchObject({ ...open, name: 'Issuer' })
    const others = { name: 'Other', partialApprovals: true, pauseOnOverCapture: true }
    expect(bodyOf(await change(others))).toMatchObject({ ...open, ...others })
    const unbounded = await change({ failOpenMaxAmount: null })
    expect(unbounded.body.errors).toMatchObject([{ path: '/failOpenMaxAmount' }])
    const closed = { failMode: 'closed', failOpenMaxAmount: null, status: 'disabled' }
    expect(bodyOf(await change(closed))).toMatchObject({ ...others, ...closed })
  })

  test.each([
    ['an open failure without a limit', { failMode: 'open' }, '/failOpenMaxAmount'],
    ['a deadline that nobody keeps', { deadlineMs: 199 }, '/deadlineMs'],
    ['a deadline beyond every issuer', { deadlineMs: 5_001 }, '/deadlineMs'],
    ['secrets of whoever has a key of ours', { ...GENERIC, secrets: SECRETS }, '/secrets'],
    ['a short secret', { secrets: { events: 'whsec_short' } }, '/secrets/events'],
    ['no secret at all', { secrets: {} }, '/secrets'],
    [
      'a secret of lithic that is no base64, and so no key',
      { ...LITHIC, secrets: { authorization: 'whsec_!!!!!!!!!!!!!!!!!!!!!' } },
      '/secrets/authorization',
    ],
    [
      'a secret of lithic of too few bytes',
      { ...LITHIC, secrets: { events: 'whsec_AAAAAAAAAAAA' } },
      '/secrets/events',
    ],
  ])('is refused with %s', async (_, fields, path) => {
    const { status, body } = await make(fields)
    expect([status, body.code]).toEqual([400, 'validation_failed'])
    expect(body.errors.map((error) => error.path)).toEqual([path])
  })

  test('is refused with a sentence where a secret was not filled in', async () => {
    const { body } = await make({ secrets: { events: 'whsec_…' } })
    expect(body.detail).not.toContain('\\x')
    expect(body.detail).toContain('/secrets/events must')
  })

  test('has no token to be changed where it has no address', async () => {
    const { id } = await aConnection(acme, GENERIC)
    const { status, body } = await acme.patch(`/card-connections/${id}`, { rotateToken: true })
    expect([status, body.errors[0]?.path]).toEqual([400, '/rotateToken'])
  })

  test('is of test money on a test installation, and the error says why', async () => {
    bodyOf(await make({ livemode: false }))
    const { status, body } = await make({ livemode: true })
    expect([status, body.code]).toEqual([422, 'livemode_mismatch'])
    expect(body.detail).toContain('real money would be governed by test budgets')
  })

  test('is of real money on a live installation', async () => {
    const live = await createTestApp(undefined, { environment: 'production' })
    try {
      const owner = await live.organization()
      expect(await aConnection(owner)).toMatchObject({ livemode: true })
      const body = { provider: 'stripe', name: 'Issuer', livemode: false }
      const refused = await owner.post('/card-connections', body)
      expect([refused.status, refused.body.code]).toEqual([422, 'livemode_mismatch'])
      expect(refused.body.detail).toContain('test purchases would be charged to real budgets')
    } finally {
      await live.stop()
    }
  })

  test('is one of a hundred at most, also when many are made at once', async () => {
    const owner = await app.organization('Many')
    await app.rows(
      `insert into card_connections (organization_id, id, provider, name, livemode, status, fail_mode,
         deadline_ms, partial_approvals, pause_on_over_capture, created_at, updated_at)
       select $1, gen_random_uuid(), 'generic', 'x', false, 'active', 'closed', 1500, false, false,
              now(), now() from generate_series(1, $2)`,
      [owner.organizationId, CONNECTIONS_MAX - 1],
    )
    const answers = await Promise.all(
      [1, 2, 3].map(() => owner.post('/card-connections', { provider: 'stripe', name: 'x' })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    const codes = new Set(answers.map(({ body }) => body.code))
    expect(codes).toContain('card_connection_limit_reached')
  })

  test('of another organization is not there', async () => {
    const { id } = await aConnection(acme)
    const stranger = await app.organization('Stranger')
    const seen = bodyOf(await stranger.get('/card-connections'))
    expect(seen.data).toEqual([])
    for (const other of [id, NO_CONNECTION]) {
      const { status, body } = await stranger.patch(`/card-connections/${other}`, { name: 'Mine' })
      expect([status, body.code]).toEqual([404, 'card_connection_not_found'])
    }
  })

  test('is seen with cards:read and changed with cards:write, never with the key of an agent', async () => {
    const { id } = await aConnection(acme)
    const { client: reader } = await aKey(app, acme, { scopes: ['cards:read'] })
    const { client: payer } = await aKey(app, acme, { scopes: ['gateway:write'] })
    const agentIds = [(await anAgent(acme)).id]
    const { client: bound } = await aKey(app, acme, { agentIds, scopes: ['cards:write'] })
    const outcomes = []
    for (const client of [reader, payer, bound, app.client('')]) {
      const answers = [
        await client.get('/card-connections'),
        await client.post('/card-connections', { provider: 'generic', name: 'Not mine' }),
        await client.patch(`/card-connections/${id}`, { status: 'disabled' }),
      ]
      outcomes.push(
        ...answers.map(({ status, body: { code } }) => (status === 200 ? 'seen' : code)),
      )
    }
    expect(outcomes).toEqual([
      'seen',
      ...Array(5).fill('insufficient_scope'),
      ...Array(3).fill('agent_bound_key'),
      ...Array(3).fill('unauthenticated'),
    ])
  })
})
