import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { aKey, anActiveMandate } from '../support/builders.ts'
import { aMember, PASSWORD, type Person } from '../support/people.ts'
import { waitUntil } from '../support/wait-until.ts'

let app: TestApp
let acme: Owner
let ada: Person
beforeAll(async () => {
  app = await createTestApp()
  acme = await app.organization()
  ada = await aMember(app, acme, { role: 'admin' })
})
afterAll(() => app.stop())

const AGENTS = '/api/v1/agents'
const MINUTE_MS = 60_000

describe('the API with a session', () => {
  test('does what the role may, in the organization of the member', async () => {
    const created = await ada.post(AGENTS, { name: 'Made by a person' })
    expect(created.status).toBe(200)
    const other = await aMember(app, await app.organization('Globex'))
    expect((await other.get(`${AGENTS}/${created.body.id}`)).status).toBe(404)
    const spend = { agentId: created.body.id, amount: 1, vendor: 'a.example', category: 'llm' }
    const judged = await ada.post('/api/v1/gateway/evaluate', spend)
    expect(judged.body).toMatchObject({ decision: 'rejected' })
  })

  test('is refused what the role may not, and says which scope that is', async () => {
    const viewer = await aMember(app, acme, { role: 'viewer' })
    expect((await viewer.get(AGENTS)).status).toBe(200)
    const refused = await viewer.post(AGENTS, { name: 'x' })
    expect(refused.body).toMatchObject({
      ...{ status: 403, code: 'insufficient_scope', requiredScope: 'agents:write' },
    })
    expect((await viewer.get('/api/v1/api-keys')).status).toBe(403)
  })

  test('goes by the key where both are sent', async () => {
    const { key } = await aKey(app, acme, { scopes: ['agents:read'] })
    const bearer = (apiKey: string) => ({ authorization: `Bearer ${apiKey}` })
    expect((await ada.post(AGENTS, { name: 'x' }, bearer(key.apiKey))).status).toBe(403)
    expect((await ada.get(AGENTS, bearer('psr_nonsense'))).status).toBe(401)
  })

  test('follows a change of the role within a second', async () => {
    const owner = await aMember(app, acme)
    const bob = await aMember(app, acme, { role: 'viewer' })
    expect((await bob.post(AGENTS, { name: 'x' })).status).toBe(403)
    const member = `/console/api/members/${bob.id}`
    expect((await owner.patch(member, { role: 'admin' })).status).toBe(200)
    await waitUntil(async () => (await bob.post(AGENTS, { name: 'x' })).status === 200)
    expect((await owner.delete(member)).status).toBe(200)
    await waitUntil(async () => (await bob.get(AGENTS)).status === 401)
  })

  test('is limited per member, over all of their sessions', async () => {
    const free = await app.organization('Free')
    await app.rows(`update organizations set plan = 'free' where id = $1`, [free.organizationId])
    const member = await aMember(app, free)
    const answers = []
    try {
      // The minute does not end before the requests do.
      app.clock.now = Date.now()
      for (let at = 0; at < 61; at++) answers.push((await member.get(AGENTS)).status)
      // A key has a limit of its own.
      expect((await free.get('/agents')).status).toBe(200)
    } finally {
      app.clock.now = undefined
    }
    expect(answers.filter((status) => status === 200)).toHaveLength(60)
    expect(answers.at(-1)).toBe(429)
  })

  test('ends a stream of events when its session ends', async () => {
    const bob = await aMember(app, acme)
    const address = await app.app.listen({ port: 0, host: '127.0.0.1' })
    const stream = await fetch(`${address}/api/v1/events`, {
      headers: { cookie: bob.cookie, accept: 'text/event-stream' },
    })
    expect(stream.status).toBe(200)
    const ended = stream.text().then(
      () => 'ended',
      () => 'ended',
    )
    await bob.post('/console/api/sign-out')
    expect(await ended).toBe('ended')
  })
})

describe('a change with a session', () => {
  const host = 'gateway.example'
  const from = (headers: Readonly<Record<string, string>>) =>
    app.app.inject({
      method: 'POST',
      url: AGENTS,
      headers: { cookie: ada.cookie, 'content-type': 'application/json', ...headers },
      payload: JSON.stringify({ name: 'x' }),
    })
  const here = 'http://localhost:80'

  test.each<[string, Record<string, string>, number]>([
    ['a page of ours', { 'sec-fetch-site': 'same-origin' }, 200],
    ['a program that names us', { host: 'localhost:3000', origin: 'http://localhost:3000' }, 200],
    ['a page of another site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['a page of a sub-domain', { 'sec-fetch-site': 'same-site' }, 403],
    ['an address that was typed', { 'sec-fetch-site': 'none' }, 403],
    ['another site that names us', { 'sec-fetch-site': 'cross-site', origin: here }, 403],
    ['an older browser elsewhere', { origin: 'https://evil.example' }, 403],
    ['a page without an origin', { origin: 'null' }, 403],
    ['a program that says nothing', {}, 403],
    ['another port', { host: 'localhost:3000', origin: 'http://localhost:4000' }, 403],
  ])('from %s', async (_, headers, status) => {
    const answer = await from(headers)
    expect(answer.statusCode, answer.body).toBe(status)
    if (status === 403) expect(answer.json().code).toBe('cross_site')
  })

  test('is not taken over HTTP from a page of the same name, where HTTPS is needed', async () => {
    const cookie = ada.cookie.replace(/^/, '__Host-')
    const plain = await from({ host, cookie, origin: `http://${host}` })
    expect([plain.statusCode, plain.json().code]).toEqual([403, 'cross_site'])
    expect((await from({ host, cookie, origin: `https://${host}` })).statusCode).toBe(200)
  })

  test('comes from the public address alone, where that is known', async () => {
    const publicUrl = `https://${host}`
    const named = await createTestApp(undefined, { publicUrl })
    const bob = await aMember(named, await named.organization(), { role: 'admin' })
    const statusOf = async (headers: Readonly<Record<string, string>>) => {
      const sent = { cookie: bob.cookie, 'content-type': 'application/json', ...headers }
      const payload = JSON.stringify({ name: 'x' })
      return (await named.app.inject({ method: 'POST', url: AGENTS, headers: sent, payload }))
        .statusCode
    }
    const elsewhere = { host: 'evil.example', origin: 'https://evil.example' }
    const site = { 'sec-fetch-site': 'same-origin' }
    const answers = [
      await statusOf({ host: 'inside:3000', origin: publicUrl }),
      await statusOf({ ...site, origin: publicUrl }),
      await statusOf(site),
      await statusOf(elsewhere),
      await statusOf({ ...elsewhere, ...site }),
      await statusOf({ origin: publicUrl, 'sec-fetch-site': 'cross-site' }),
    ]
    await named.stop()
    expect(answers).toEqual([200, 200, 200, 403, 403, 403])
  })

  test('is not needed for reading', async () => {
    const answer = await ada.get(AGENTS, { 'sec-fetch-site': 'cross-site' })
    expect(answer.status).toBe(200)
  })

  test('signs nobody in from a page of another site', async () => {
    const body = { email: ada.email, password: PASSWORD }
    const other = { 'sec-fetch-site': 'cross-site' }
    const answer = await ada.post('/console/api/sign-in', body, other)
    expect([answer.status, answer.body.code]).toEqual([403, 'cross_site'])
  })
})

describe('what is sensitive', () => {
  const cases: readonly [string, 'POST' | 'PATCH' | 'DELETE', string, unknown][] = [
    ['making a key', 'POST', '/api/v1/api-keys', { name: 'x' }],
    ['the webhook secret', 'POST', '/api/v1/organization/webhook-secret/rotate', undefined],
    ['the webhook URL', 'PATCH', '/api/v1/organization', { webhookUrl: null }],
    ['the kill switch', 'PATCH', '/api/v1/organization', { frozen: false, name: 'Acme' }],
    ['a wallet', 'POST', '/api/v1/wallets', { name: 'x' }],
    ['an issuer', 'POST', '/api/v1/card-connections', { provider: 'generic', name: 'x' }],
    [
      'the secret of an issuer',
      'PATCH',
      `/api/v1/card-connections/conn_${'0'.repeat(32)}`,
      { rotateToken: true },
    ],
    ['the secrets of a shop', 'POST', '/api/v1/vendors', { host: 'a.example', acp: null }],
    [
      'another secret of a shop',
      'PATCH',
      `/api/v1/vendors/ven_${'0'.repeat(32)}`,
      { acp: { rotateOrderToken: true } },
    ],
    ['an instrument', 'PATCH', '/api/v1/organization', { acp: { instruments: [] } }],
    ['a member', 'DELETE', `/console/api/members/mem_${'0'.repeat(32)}`, undefined],
    ['an invitation', 'POST', '/console/api/invitations', { email: 'x@y.example', role: 'viewer' }],
  ]

  test.each(cases)('needs the password within five minutes: %s', async (_, method, url, body) => {
    const bob = await aMember(app, acme)
    const begin = Date.now()
    const isAsked = async (): Promise<boolean> =>
      (await bob.send(method, url, body)).body.code === 'reauthentication_required'
    try {
      app.clock.now = begin + 4 * MINUTE_MS
      expect(await isAsked()).toBe(false)
      app.clock.now = begin + 6 * MINUTE_MS
      expect(await isAsked()).toBe(true)
      const given = await bob.post('/console/api/reauthenticate', { password: PASSWORD })
      expect(given.status).toBe(200)
      expect(await isAsked()).toBe(false)
    } finally {
      app.clock.now = undefined
    }
  })

  test('is asked of no other field, and of no key', async () => {
    const bob = await aMember(app, acme)
    try {
      app.clock.now = Date.now() + 10 * MINUTE_MS
      expect((await bob.patch('/api/v1/organization', { name: 'Acme' })).status).toBe(200)
      expect((await acme.patch('/organization', { frozen: false })).status).toBe(200)
    } finally {
      app.clock.now = undefined
    }
  })
})

test('an agent is given a mandate and a spend by a person', async () => {
  const { agentId } = await anActiveMandate(acme)
  const spend = { agentId, amount: 1, vendor: 'api.openai.com', category: 'llm' }
  const answer = await ada.post('/api/v1/gateway/evaluate', spend)
  expect(answer.body).toMatchObject({ decision: 'approved' })
})
