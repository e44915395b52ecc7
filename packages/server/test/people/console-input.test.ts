import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../support/app.ts'
import { type ConsoleRoute, listConsoleRoutes } from '../support/console-routes.ts'
import { aMember, type Person } from '../support/people.ts'

/* The console's endpoints take what is well formed, and nothing else; made from their own schemas. */

const app: TestApp = await createTestApp()
const routes = await listConsoleRoutes()
const withBody = routes.filter(({ body }) => body !== undefined)
const writing = routes.filter(({ method }) => method !== 'GET')
const named = (some: readonly ConsoleRoute[]) =>
  some.map((route) => [`${route.method} ${route.url}`, route] as const)

let owner: Person
beforeAll(async () => {
  owner = await aMember(app, await app.organization())
  // Nobody has to give the password again, however long this takes.
  app.clock.now = Date.now()
})
afterAll(() => app.stop())

const PREFIXES: Readonly<Record<string, string>> = {
  sessions: 'ses',
  invitations: 'inv',
  passkeys: 'psk',
}

const urlOf = ({ url }: ConsoleRoute, id = `mem_${'0'.repeat(32)}`): string => {
  const [, resource = ''] = /\/([a-z]+)\/:id/.exec(url) ?? []
  return url.replace(':id', id.replace('mem', PREFIXES[resource] ?? 'mem'))
}

async function send(
  route: ConsoleRoute,
  payload: string | undefined,
  { url = urlOf(route), type = 'application/json' } = {},
) {
  const answer = await app.app.inject({
    method: route.method,
    url,
    headers: {
      cookie: owner.cookie,
      'sec-fetch-site': 'same-origin',
      ...(payload !== undefined && { 'content-type': type }),
    },
    ...(payload !== undefined && { payload }),
  })
  expect(answer.headers['content-type']).toContain('application/problem+json')
  const { code, errors } = answer.json<{ code: string; errors: { path: string }[] }>()
  return { status: answer.statusCode, code, paths: errors.map(({ path }) => path) }
}

/** A member can choose no messages. */
const isChoiceOfNone = (field: string, value: unknown): boolean =>
  field === 'kinds' && Array.isArray(value)

describe('a body', () => {
  test.each(named(withBody))('that is not strict JSON is refused: %s', async (_, route) => {
    for (const payload of ['', '{', '[]', 'null', '"x"', '{"a":1,"a":1}', '{"a":"\\u0000"}']) {
      expect((await send(route, payload)).status, payload).toBe(400)
    }
    expect((await send(route, '{}', { type: 'text/plain' })).status).toBe(415)
    expect((await send(route, `{"a":"${'x'.repeat(17_000)}"}`)).status).toBe(413)
  })

  test.each(named(withBody))('with a mistake is refused, the field named: %s', async (_, route) => {
    const unknown = await send(route, '{"unexpected":1}')
    expect([unknown.status, unknown.paths]).toEqual([400, expect.arrayContaining(['/unexpected'])])
    for (const field of Object.keys(route.body?.properties ?? {})) {
      const values = [1, true, [], {}, '', 'x'.repeat(2_000)]
      for (const value of values.filter((one) => !isChoiceOfNone(field, one))) {
        const wrong = await send(route, JSON.stringify({ [field]: value }))
        // An empty object lacks its own fields.
        const named = wrong.paths.map((path) => path.split('/')[1])
        expect([wrong.status, named], `${field}: ${value}`).toEqual([
          400,
          expect.arrayContaining([field]),
        ])
      }
    }
  })
})

test.each(named(routes.filter(({ url }) => url.includes(':id'))))(
  'an id of another form is refused: %s',
  async (_, route) => {
    for (const id of ['x', `mem_${'0'.repeat(31)}`, `mem_${'G'.repeat(32)}`]) {
      const answer = await send(route, route.body && '{"name":"x"}', { url: urlOf(route, id) })
      expect([answer.status, answer.paths]).toEqual([400, ['/id']])
    }
  },
)

test.each(named(routes))('a parameter that nobody knows is refused: %s', async (_, route) => {
  const url = `${urlOf(route)}?unexpected=1`
  const answer = await send(route, undefined, { url })
  expect([answer.status, answer.paths]).toEqual([400, expect.arrayContaining(['/unexpected'])])
})

test.each(named(routes.filter(({ access }) => access !== 'open')))(
  'nobody comes in without a session: %s',
  async (_, route) => {
    const { method } = route
    const answer = await app.app.inject({ method, url: urlOf(route) })
    expect([answer.statusCode, answer.json().code]).toEqual([401, 'unauthenticated'])
  },
)

test.each(named(writing.filter(({ access }) => access !== 'open')))(
  'nothing changes from a page of another site: %s',
  async (_, route) => {
    const headers = { cookie: owner.cookie, origin: 'https://evil.example' }
    const answer = await app.app.inject({ method: route.method, url: urlOf(route), headers })
    expect([answer.statusCode, answer.json().code]).toEqual([403, 'cross_site'])
  },
)
