import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PAGES, RESERVED } from '../../src/console/addresses.ts'
import { createTestApp, type TestApp } from '../support/app.ts'
import { BROWSER, PAGE, type ServedConsole, startConsole } from './built-console.ts'

let served: ServedConsole
let without: TestApp
beforeAll(async () => {
  served = await startConsole()
  without = await createTestApp()
})
afterAll(async () => {
  await served.stop()
  await without.stop()
})

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

/** Every address of section 3 of the design, with values in place of the parameters. */
const OPENED = [
  ...['/', '/?range=30d', '/transactions', '/transactions/txn_1?decision=rejected'],
  ...['/approvals', '/approvals/apr_1', '/agents', '/agents/0191f3a8', '/mandates'],
  ...['/mandates/new?agent=x', '/mandates/man_1', '/mandates/man_1/edit'],
  ...['/mandates/man_1/versions?a=3&b=4', '/simulator', '/vendors', '/vendors/ven_1', '/wallets'],
  ...['/cards', '/cards/connections/con_1', '/keys', '/keys/new', '/connect', '/connect/curl'],
  ...['/reference', '/reference/evaluate', '/audit', '/audit/12', '/settings', '/settings/webhook'],
  ...['/settings/webhook/del_1', '/settings/organization', '/settings/members', '/settings/me'],
  ...['/setup', '/sign-in?next=%2Fagents', '/accept', '/start'],
]

describe('a page', () => {
  test.each(OPENED)('is answered at %s', async (path) => {
    const { status, headers, text } = await served.send(path, BROWSER)
    expect([status, text]).toEqual([200, PAGE])
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(headers['cache-control']).toBe('no-store')
  })

  test('has an address in the list for each of these, and no other', () => {
    const shapes = OPENED.map((path) => path.replace(/\?.*/, ''))
    const isFound = (page: string) =>
      shapes.some((path) => new RegExp(`^${page.replaceAll(/:\w+/g, '[^/]+')}$`).test(path))
    expect(PAGES.filter((page) => !isFound(page))).toEqual([])
    expect(PAGES).toHaveLength(OPENED.length - 1)
  })

  test('is also answered with a slash at the end, and to a client that accepts everything', async () => {
    for (const headers of [{}, { accept: '*/*' }, { accept: 'text/*;q=0.5' }]) {
      const { status, text } = await served.send('/transactions/', headers)
      expect([status, text]).toEqual([200, PAGE])
    }
  })

  test('forbids inline code, frames, other hosts and powers of the browser', async () => {
    for (const path of ['/', '/nothing-here']) {
      const { headers } = await served.send(path, BROWSER)
      expect(headers).toMatchObject({
        'content-security-policy': POLICY,
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'permissions-policy': expect.stringContaining('camera=(), '),
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'x-request-id': expect.stringMatching(/^req_/),
        vary: 'accept, accept-encoding',
      })
      // The gateway speaks plain HTTP. The proxy that ends TLS sets this header.
      expect(headers).not.toHaveProperty('strict-transport-security')
    }
  })

  test('is answered without its content to HEAD', async () => {
    const { status, headers, text } = await served.send('/agents', BROWSER, 'HEAD')
    expect([status, text]).toEqual([200, ''])
    expect(headers['content-length']).toBe(String(PAGE.length))
  })
})

describe('an unknown address', () => {
  const UNKNOWN = [
    ...['/nothing-here', '/transactions/a/b', '/mandates/a/nothing', '/settings/nothing'],
    ...['/index.html', '//', '//evil.example', '/Transactions', '/console', '/%74ransactions'],
    ...['/../etc/passwd', '/transactions/'.repeat(50)],
  ]

  test.each(UNKNOWN)('has a page that says so, for a browser: %s', async (path) => {
    const { status, headers, text } = await served.send(path, BROWSER)
    expect([status, text]).toEqual([404, PAGE])
    expect(headers['cache-control']).toBe('no-store')
    const head = await served.send(path, BROWSER, 'HEAD')
    expect([head.status, head.text]).toEqual([404, ''])
  })

  test.each(UNKNOWN)('is answered to programs as without a console: %s', async (path) => {
    for (const accept of ['*/*', 'application/json', 'text/html;q=0, */*']) {
      await expectUnchanged('GET', path, { accept })
    }
  })
})

/** Each gateway has its own keys, and each sign-in its own challenge. */
const DIFFERS = ['/.well-known/jwks.json', '/console/api/session/passkey-options']

describe('the console takes nothing from programs:', () => {
  test('the addresses of pages with a key, or with a type other than HTML', async () => {
    for (const path of ['/', '/agents', '/transactions/txn_1', '/console/accept']) {
      await expectUnchanged('GET', path, { accept: 'application/json' })
      await expectUnchanged('GET', path, { accept: '*/*', authorization: 'Bearer psr_test_x' })
      await expectUnchanged('GET', path, { authorization: 'Bearer psr_test_x' })
    }
  })

  test.each(METHODS.slice(2))('the method %s', async (method) => {
    for (const path of ['/', '/agents', '/nothing-here', '/console/accept', '/assets/x.js']) {
      await expectUnchanged(method, path, BROWSER)
    }
  })

  test('every route, also for a browser', async () => {
    const routes = listRoutes(served.app)
    expect(routes.length).toBeGreaterThan(59)
    for (const { method, url } of routes) {
      const isReserved = RESERVED.some((prefix) => `${url}/`.startsWith(`${prefix}/`))
      expect([url, isReserved]).toEqual([url, true])
      const path = url.replaceAll(/:\w+/g, 'x').replace('*', 'x')
      if (!DIFFERS.includes(url)) await expectUnchanged(method, path, BROWSER)
    }
  })

  test.each([
    ...RESERVED,
    ...['/api/v2/agents', '/ingest/stripe/token', '/.well-known/security.txt', '/assets/no.js'],
    ...['/%61pi/v1/agents', '/api/v1/%61gents', '/console/api/nothing', '/mcp/x', '/%zz'],
  ])('the addresses below %s, also for a browser', async (path) => {
    for (const below of [path, `${path}/nothing-here`]) {
      for (const method of ['GET', 'HEAD']) await expectUnchanged(method, below, BROWSER)
    }
  })
})

/** Compares the answer with that of a gateway without a console. Only the request id differs. */
async function expectUnchanged(
  method: string,
  path: string,
  headers: Record<string, string>,
): Promise<void> {
  const answers = await Promise.all(
    [served.app, without].map(async ({ app }) => {
      const {
        statusCode,
        headers: received,
        body,
      } = await app.inject({
        method: METHODS.find((one) => one === method) ?? 'GET',
        url: path,
        headers,
      })
      const { date: _, 'x-request-id': id = '', ...compared } = received
      return [statusCode, compared, body.replaceAll(String(id), 'req_')]
    }),
  )
  expect([path, answers[0]]).toEqual([path, answers[1]])
}

/** The routes of the app, as its router prints them. */
function listRoutes({ app }: TestApp): { method: string; url: string }[] {
  const text = app.printRoutes({ commonPrefix: false, includeHooks: false })
  const open: string[] = []
  return text.split('\n').flatMap((line) => {
    const found = /^((?:│ {3}| {4})*)(?:├── |└── )(\S+)(?: \((.+)\))?$/.exec(line)
    if (!found) return []
    const [, indent = '', part = '', methods] = found
    open.splice(indent.length / 4, Number.POSITIVE_INFINITY, part)
    const url = open.join('')
    return (methods ?? '').split(', ').flatMap((method) => (method ? { method, url } : []))
  })
}
