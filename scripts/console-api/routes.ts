import { fastify, type RouteOptions } from 'fastify'
import { kindOf } from '../../packages/server/src/base/errors.ts'
import { WITHOUT_COMPILERS } from '../../packages/server/src/http/document/document.ts'
import type { ConsoleParts } from '../../packages/server/src/people/routes/console-parts.ts'
import { CONSOLE_ROUTES } from '../../packages/server/src/people/routes/index.ts'
import type { Schema } from '../sdk/document.ts'

/** An endpoint below `/console/api`. */
export interface ConsoleRoute {
  readonly id: string
  readonly method: string
  /** The path below `/console/api`, with parameters as in `openapi.json`: `/members/{id}`. */
  readonly path: string
  readonly params: Schema | undefined
  readonly query: Schema | undefined
  readonly body: Schema | undefined
  readonly answer: Schema | undefined
  /** The codes of the problems that not every endpoint has. */
  readonly codes: readonly string[]
}

/** The endpoints in the order in which they are registered. None is served, so none needs parts. */
export async function readConsoleRoutes(): Promise<ConsoleRoute[]> {
  const routes: ConsoleRoute[] = []
  const app = fastify({ exposeHeadRoutes: false, schemaController: WITHOUT_COMPILERS })
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(() => JSON.stringify)
  app.addHook('onRoute', (route) => void routes.push(readRoute(route)))
  for (const add of CONSOLE_ROUTES) add(app.withTypeProvider(), PARTS)
  await app.ready()
  return routes
}

/** Stands for every part: registering a route reads parts and their fields, and uses none. */
const PARTS: ConsoleParts = new Proxy(() => {}, {
  get: (_, name) => (name === 'then' ? undefined : PARTS),
  apply: () => PARTS,
}) as unknown as ConsoleParts

function readRoute({ method, url, schema = {}, config = {} }: RouteOptions): ConsoleRoute {
  const { operationId: id, params, querystring, body, response = {} } = schema
  if (id === undefined) throw new Error(`${method} ${url} has no operationId.`)
  return {
    id,
    method: String(method),
    path: url.replaceAll(/:(\w+)/g, '{$1}'),
    params: plain(params),
    query: asInput(plain(querystring)),
    body: asInput(plain(body)),
    answer: plain((response as Record<string, unknown>)['200']),
    codes: (config.problems ?? []).map((one) => kindOf(one).code),
  }
}

/** The schema as JSON, without the marks that TypeBox keeps in it. */
function plain(schema: unknown): Schema | undefined {
  return schema === undefined ? undefined : JSON.parse(JSON.stringify(schema))
}

/** A field with a default may be left out of a request. */
function asInput(schema: Schema | undefined): Schema | undefined {
  if (schema?.required === undefined) return schema
  const isNeeded = (name: string) => !('default' in (schema.properties?.[name] ?? {}))
  return { ...schema, required: schema.required.filter(isNeeded) }
}
