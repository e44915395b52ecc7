import { fastify, type RouteOptions } from 'fastify'
import { openApiOptions } from './openapi.ts'

/** The OpenAPI document of the routes that were added to it. */
export interface ApiDocument {
  note(route: RouteOptions): void
  /** Writes the document at the first call. Every route must have been added by then. */
  read(): Promise<object>
}

/**
 * The plugin that writes the document takes 0.2 s of CPU to load, few gateways ever serve the
 * document, and the plugin must see every route at its registration. So this function only collects
 * the routes. At the first request for the document, it registers them again with an app that serves
 * nothing.
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
  // This app serves nothing, so it validates nothing.
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
 * For an app that sets its own compilers. Unless its options name some, Fastify first loads its
 * default compilers, which takes 0.1 s of CPU at startup.
 */
export const WITHOUT_COMPILERS = {
  compilersFactory: { buildValidator: notSet, buildSerializer: notSet },
}

function notSet(): never {
  throw new Error('The app has not set its compilers.')
}
