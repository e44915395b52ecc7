import { ISSUERS } from '../../packages/server/src/paths/card/issuers/index.ts'
import { commentOf } from '../sdk/comment.ts'
import type { OpenApi, Schema } from '../sdk/document.ts'
import { declare, importOf } from '../sdk/type-files.ts'
import { typeOf } from '../sdk/write-type.ts'
import { createCardIssuers } from './card-issuers.ts'
import { nameSchemas } from './names.ts'
import { type ConsoleRoute, readConsoleRoutes } from './routes.ts'
import { createSdkMethods } from './sdk-methods.ts'

/** The folder that holds only generated files. */
export const CONSOLE_FOLDER = 'packages/console/src/generated/'

const HEADER =
  '// Written by `npm run generate` from the routes of /console/api. Do not change it by hand.\n'

const MAP_WORDS = `/**
 * Every operation below \`/console/api\`: its inputs and its answer. An input that it does not take,
 * or an answer without a body, is undefined.
 */
`

const TABLE_WORDS = '/** The method and the path of every operation below `/console/api`. */\n'

/**
 * The types of `/console/api`, which is not part of the API and of `openapi.json`, the names of the
 * SDK's methods, and the card issuers.
 */
export async function createConsoleApi(api: OpenApi): Promise<Map<string, string>> {
  const { routes, schemas, imported } = await nameSchemas(await readConsoleRoutes(), api)
  const types = [...schemas].map(([name, schema]) => declare(name, schema))
  const text = [
    HEADER,
    ...(imported.length > 0 ? [importOf(imported, '@purser/sdk')] : []),
    ...types,
    writeMap(routes),
    writeTable(routes),
  ].join('\n')
  return new Map([
    [`${CONSOLE_FOLDER}card-issuers.ts`, createCardIssuers(ISSUERS)],
    [`${CONSOLE_FOLDER}console-api.ts`, text],
    [`${CONSOLE_FOLDER}sdk-methods.ts`, createSdkMethods(api)],
  ])
}

function writeMap(routes: readonly ConsoleRoute[]): string {
  const entries = routes.map(({ id, method, path, params, query, body, answer, codes }) => {
    const fields = [
      ...[`method: '${method}'`, `path: '${path}'`],
      ...[`params: ${paramsOf(params)}`, `query: ${typeOrNone(query)}`],
      ...[`body: ${typeOrNone(body)}`, `answer: ${typeOrNone(answer)}`],
    ]
    const errors =
      codes.length > 0 ? `Errors: ${codes.map((code) => `\`${code}\``).join(', ')}.` : ''
    const lines = fields.map((field) => `    readonly ${field}\n`)
    return `${commentOf(errors, '  ')}  readonly ${id}: {\n${lines.join('')}  }\n`
  })
  return `${MAP_WORDS}export interface ConsoleOperations {\n${entries.join('')}}\n`
}

function writeTable(routes: readonly ConsoleRoute[]): string {
  const lines = routes.map(
    ({ id, method, path }) => `  ${id}: { method: '${method}', path: '${path}' },\n`,
  )
  return `${TABLE_WORDS}export const CONSOLE_OPERATIONS = {\n${lines.join('')}} as const\n`
}

function paramsOf(params: Schema | undefined): string {
  const names = Object.keys(params?.properties ?? {})
  if (names.length === 0) return 'undefined'
  return `{ ${names.map((name) => `readonly ${name}: string`).join('; ')} }`
}

function typeOrNone(schema: Schema | undefined): string {
  return schema ? typeOf(schema, '    ') : 'undefined'
}
