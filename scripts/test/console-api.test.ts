import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Type } from 'typebox'
import { beforeAll, describe, expect, test } from 'vitest'
import type { App } from '../../packages/server/src/http/app.ts'
import { ISSUERS } from '../../packages/server/src/paths/card/issuers/index.ts'
import { CONSOLE_ROUTES } from '../../packages/server/src/people/routes/index.ts'
import { compareFiles } from '../compare-files.ts'
import { createCardIssuers } from '../console-api/card-issuers.ts'
import { CONSOLE_FOLDER, createConsoleApi } from '../console-api/create-console-api.ts'
import type { OpenApi } from '../sdk/document.ts'

const ROOT = new URL('../../', import.meta.url)
const document: OpenApi = JSON.parse(readFileSync(new URL('openapi.json', ROOT), 'utf8'))

describe('the types of /console/api', () => {
  let text = ''
  beforeAll(async () => {
    const restore = addRoute()
    const files = await createConsoleApi(document).finally(restore)
    text = files.get(`${CONSOLE_FOLDER}console-api.ts`) ?? ''
  })

  test('have a method and a path for each registered endpoint', () => {
    expect(text).toContain("  signIn: { method: 'POST', path: '/sign-in' },\n")
    expect(text).toContain("  endSession: { method: 'DELETE', path: '/sessions/{id}' },\n")
    expect(text).toContain("  orderTea: { method: 'POST', path: '/teas/{kind}' },\n")
  })

  test('name bodies by their operation, and exported schemas by their export', () => {
    expect(text).toContain('    readonly body: SignIn\n    readonly answer: Me\n')
    expect(text).toContain('export interface Member {\n')
    expect(text).toContain('  readonly data: readonly Session[]\n')
  })

  test('contain parameters, queries, errors and answers of an endpoint', () => {
    expect(text).toContain(
      [
        '  /** Errors: `link_ended`. */',
        '  readonly orderTea: {',
        "    readonly method: 'POST'",
        "    readonly path: '/teas/{kind}'",
        '    readonly params: { readonly kind: string }',
        '    readonly query: OrderTeaQuery',
        '    readonly body: OrderTea',
        '    readonly answer: undefined',
        '  }',
      ].join('\n'),
    )
  })

  test('let a request leave out a field that has a default', () => {
    expect(text).toContain(
      'export interface OrderTeaQuery {\n  readonly cups?: number | undefined\n}',
    )
  })

  test('describe a field that may be null', () => {
    expect(text).toContain('  /** The sugar. */\n  readonly sugar: string | null\n')
  })

  test('import the types that the SDK exports', () => {
    expect(text).toContain("import type { Environment, Scope } from '@purser/sdk'\n")
    expect(text).not.toContain('type Scope =')
  })
})

test('the committed file is that of the routes', async () => {
  const fresh = await createConsoleApi(document)
  const differences = await compareFiles(fileURLToPath(ROOT), fresh, [CONSOLE_FOLDER])
  expect(differences).toEqual({ stale: [], leftOver: [] })
})

test('a further card issuer is one more line for the console', () => {
  const acmeBank = { provider: 'acme_bank', title: "Acme's Bank" }
  const [before, after] = [ISSUERS, [...ISSUERS, acmeBank]].map(createCardIssuers)
  const line = "  { provider: 'acme_bank', title: \"Acme's Bank\" },\n] as const\n"
  expect(after).toBe(before?.replace('] as const\n', line))
})

test('openapi.json has no endpoint of the console', () => {
  expect(Object.keys(document.paths).filter((path) => path.startsWith('/console'))).toEqual([])
})

function addRoute(): () => void {
  CONSOLE_ROUTES.push((app: App) => {
    app.route({
      method: 'POST',
      url: '/teas/:kind',
      schema: {
        operationId: 'orderTea',
        params: Type.Object({ kind: Type.String() }),
        querystring: Type.Object({ cups: Type.Integer({ default: 1 }) }),
        body: Type.Object({
          sugar: Type.Union([Type.String({ description: 'The sugar.' }), Type.Null()]),
        }),
      },
      config: { problems: ['link_ended'] },
      handler: () => {},
    })
  })
  return () => void CONSOLE_ROUTES.pop()
}
