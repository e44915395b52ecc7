import { fastify, type RouteOptions } from 'fastify'
import { openApiOptions } from './openapi.ts'

/** The OpenAPI document of the routes that it was told of. */
export interface ApiDocument {
  note(route: RouteOptions): void
  /** Written when it is first asked for. Every route must have been noted by then. */
  read(): Promise<object>
}

/**
 * What writes the document takes a fifth of a second of CPU to load, and few gateways are ever
 * asked for it. It also wants to see every route when it is registered. So routes are only noted
 * here, and are registered once more with an app that serves nothing, when somebody asks.
 */
export function createDocument(): ApiDocument {
  const routes: RouteOptions[] = []
  let written: Promise<object> | undefined
  return {
    note: (route) => void routes.push(route),
    read: () => {
      written ??= write(routes)
      return written
    },
  }
}

async function write(routes: readonly RouteOptions[]): Promise<object> {
  const { default: swagger } = await import('@fastify/swagger')
  const app = fastify({ exposeHeadRoutes: false, schemaController: WITHOUT_COMPILERS })
  // Nothing is served, so nothing is validated.
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(() => JSON.stringify)
  await app.register(swagger, openApiOptions)
  for (const { method, url, schema = {}, config = {} } of routes) {
    app.route({ method, url, schema, config, handler: () => {} })
  }
  await app.ready()
  return app.swagger()
}

/**
 * For an app that sets compilers of its own: unless Fastify is given some with its options, it
 * first loads those that it brings, which takes a start a tenth of a second of CPU.
 */
export const WITHOUT_COMPILERS = {
  compilersFactory: { buildValidator: notSet, buildSerializer: notSet },
}

function notSet(): never {
  throw new Error('The app has not set its compilers.')
}
