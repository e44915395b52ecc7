import { afterAll, describe, expect, test } from 'vitest'
import type { Door } from '../../src/http/door.ts'
import { type ConfiguredPath, withSettings } from '../../src/paths/path.ts'
import { createTestApp } from '../support/app.ts'
import { usualEngine } from '../support/database.ts'
import { pathsOn } from '../support/paths.ts'
import { tillPath } from './till.ts'

// What every door of every path refuses. The till's doors are among them, so that there always are some.

const BODY_BYTES_MAX = 262_144

interface DoorRoute {
  readonly method: 'GET' | 'POST'
  /** With something in the place of each parameter. */
  readonly url: string
  readonly bodyBytesMax: number
}

const prefixes: string[] = []
const routes: DoorRoute[] = []

const filled = (url: string): string => url.replaceAll(/:\w+/g, 'anything')

/** The door, which also writes down here what it opens. */
function noted(door: Door): Door {
  prefixes.push(filled(door.prefix))
  return {
    ...door,
    routes(scope) {
      scope.addHook('onRoute', ({ method, url, bodyLimit = BODY_BYTES_MAX }) => {
        for (const one of [method].flat()) {
          // The type is that of the methods which `inject` takes, and it takes all of them.
          const known = one as DoorRoute['method']
          routes.push({ method: known, url: filled(url), bodyBytesMax: bodyLimit })
        }
      })
      door.routes(scope)
    },
  }
}

const withNotes = (path: ConfiguredPath): ConfiguredPath => ({
  ...path,
  async open(parts) {
    const open = await path.open(parts)
    return { ...open, doors: (open.doors ?? []).map(noted) }
  },
})

const till = withSettings(tillPath, { callers: new Map(), secret: 'nobody signs here' })
const paths = [...pathsOn([]), till].map(withNotes)
const app = await createTestApp(usualEngine(), { paths })
const { apiKey } = await app.organization()
afterAll(() => app.stop())

test('there are doors to try, those of the till among them', () => {
  expect(prefixes).toEqual(expect.arrayContaining(['/ingest/till/anything', '/till/orders']))
  const urls = routes.map(({ url }) => url)
  for (const prefix of prefixes) expect(urls.some((url) => url.startsWith(prefix))).toBe(true)
})

interface Request extends Pick<DoorRoute, 'method' | 'url'> {
  readonly headers?: Readonly<Record<string, string>>
  readonly payload?: string
}

async function expectRefusal(request: Request): Promise<void> {
  const { statusCode, headers, body } = await app.app.inject(request)
  expect(statusCode, body).toBeGreaterThanOrEqual(400)
  expect(statusCode, body).toBeLessThan(500)
  expect(headers['content-type']).not.toContain('problem+json')
  expect(body).not.toContain('urn:purser:problem')
}

const json = { 'content-type': 'application/json' }

describe.each(routes)('$method $url refuses in a form that is not ours', (route) => {
  const { method, url, bodyBytesMax } = route
  const content = method === 'GET' ? {} : { payload: '{}' }

  test('a request that nobody signed', async () => {
    await expectRefusal({ method, url, headers: json, ...content })
  })

  test('a request with nothing but our API key', async () => {
    const headers = { ...json, authorization: `Bearer ${apiKey}` }
    await expectRefusal({ method, url, headers, ...content })
  })

  if (method !== 'GET')
    test('a body over the limit', async () => {
      const payload = `"${'x'.repeat(bodyBytesMax)}"`
      await expectRefusal({ method, url, headers: json, payload })
    })
})

describe.each(prefixes)('below %s', (prefix) => {
  test.each(['GET', 'POST'] as const)('an unknown route is refused: %s', async (method) => {
    await expectRefusal({ method, url: `${prefix}/there/is/nothing` })
  })
})
