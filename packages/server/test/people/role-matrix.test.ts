import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasScope, SCOPES } from '../../src/core/api-key.ts'
import { managesPeople, ROLE_NAMES, type Role, scopesOf } from '../../src/core/people/role.ts'
import { createTestApp, type TestApp } from '../support/app.ts'
import { listConsoleRoutes } from '../support/console-routes.ts'
import { listOperations, type Operation, readDocument } from '../support/operations.ts'
import { aMember, type Person } from '../support/people.ts'

/*
 * Every role at every endpoint, made from the table of roles, the OpenAPI document and the console's own
 * endpoints: a new endpoint or role is covered without a change. What is sent is empty, because who may
 * not is refused before anything is read.
 */

const app: TestApp = await createTestApp()
const operations = listOperations(await readDocument(app.app)).filter(({ path }) =>
  path.startsWith('/api/v1'),
)
const routes = await listConsoleRoutes()
const people = new Map<Role, Person>()

beforeAll(async () => {
  const acme = await app.organization()
  for (const role of ROLE_NAMES) people.set(role, await aMember(app, acme, { role }))
  // Nobody has to give the password again, however long this takes.
  app.clock.now = Date.now()
})
afterAll(() => app.stop())

async function isRefused(role: Role, { method, url }: Pick<Call, 'method' | 'url'>) {
  const person = people.get(role)
  if (!person) throw new Error(`There is no ${role}.`)
  const answer = await person.send(method, url)
  expect(answer.status, answer.text).not.toBe(401)
  return answer.status === 403
}

interface Call {
  readonly method: Operation['method']
  readonly url: string
}

/** As the document says it, which is what a reader goes by. */
function scopeOf({ description = '' }: Operation) {
  const [, named] = /Needs the scope `([a-z:]+)`/.exec(description) ?? []
  return SCOPES.find((scope) => scope === named)
}

const idOf: Readonly<Record<string, string>> = {
  agents: '019a8561-7c5e-7d40-9b5e-6f1f0a3c2b11',
}

const urlOf = (path: string): string =>
  path.replace(/(\w[\w-]*)\/(\{\w+\}|:\w+)/, (_, resource: string) => {
    const id = idOf[resource] ?? `${PREFIXES[resource] ?? 'x'}_019a85617c5e7d409b5e6f1f0a3c2b11`
    return `${resource}/${id}`
  })

const PREFIXES: Readonly<Record<string, string>> = {
  mandates: 'mnd',
  transactions: 'txn',
  approvals: 'apr',
  cards: 'card',
  'card-connections': 'conn',
  wallets: 'wal',
  vendors: 'ven',
  'api-keys': 'key',
  deliveries: 'dlv',
  members: 'mem',
  invitations: 'inv',
  sessions: 'ses',
  passkeys: 'psk',
}

describe.each(ROLE_NAMES)('%s', (role) => {
  test.each(operations.map((operation) => [operation.operationId, operation] as const))(
    'at %s',
    async (_, operation) => {
      const scope = scopeOf(operation)
      expect(scope, 'every endpoint of the API names its scope').toBeDefined()
      const may = scope !== undefined && hasScope({ scopes: scopesOf(role) }, scope)
      const call = { method: operation.method, url: urlOf(operation.path) }
      expect(await isRefused(role, call)).toBe(!may)
    },
  )

  // Whoever signs out is of no use to the tests after this one.
  const others = routes.filter(({ url }) => !url.endsWith('/sign-out'))
  test.each(others.map((route) => [`${route.method} ${route.url}`, route] as const))(
    'at %s',
    async (_, { method, url, access }) => {
      const may = access !== 'managers' || managesPeople(role)
      expect(await isRefused(role, { method, url: urlOf(url) })).toBe(!may)
    },
  )
})

test('there is something to ask, and something to refuse', () => {
  expect(operations.length).toBeGreaterThan(40)
  expect(routes.filter(({ access }) => access === 'managers').length).toBeGreaterThan(5)
  expect(routes.filter(({ access }) => access === 'open').map(({ url }) => url)).toEqual([
    '/console/api/state',
    '/console/api/sign-in',
    '/console/api/session/passkey-options',
    '/console/api/session/passkey',
    '/console/api/link',
    '/console/api/accept',
    '/console/api/setup',
  ])
})
