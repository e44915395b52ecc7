import type { RouteOptions } from 'fastify'
import { pino } from 'pino'
import { createApp } from '../../src/http/app.ts'
import { registerConsole } from '../../src/people/routes/index.ts'
import type { Method, Schema } from './operations.ts'
import { silentLog } from './silent-log.ts'

const unused = (): never => {
  throw new Error('Nothing is served.')
}

export interface ConsoleRoute {
  readonly method: Method
  /** The address with its prefix, such as /console/api/members/:id. */
  readonly url: string
  readonly access: 'open' | 'managers' | undefined
  /** Whether it needs the password. */
  readonly sensitive: boolean
  readonly body: Schema | undefined
}

/**
 * Lists every endpoint of the console, so that tests based on this list cover a new one
 * automatically.
 */
export async function listConsoleRoutes(): Promise<ConsoleRoute[]> {
  const routes: RouteOptions[] = []
  const app = createApp(pino({ level: 'silent' }))
  app.addHook('onRoute', (route) => void routes.push(route))
  const ends = {
    query: unused,
    transaction: unused,
    listen: unused,
    isReady: unused,
    close: unused,
  }
  await registerConsole(app, {
    db: { engine: 'embedded', ...ends },
    clock: unused,
    now: unused,
    passwords: { hash: unused, refuse: unused },
    limits: {
      ...{ count: unused, forget: unused, unlock: unused },
      ...{ countAgain: unused, forgetAgain: unused, findTriedBefore: unused },
    },
    notes: {
      ...{ add: unused, isEmpty: unused, take: unused },
      ...{ putBack: unused, takeStrangers: unused },
    },
    rateLimit: unused,
    inFlight: unused,
    sessions: { find: unused, watch: unused, stop: unused },
    sessionUse: { note: unused, stop: unused },
    cookies: { isDevelopment: true, publicUrl: undefined },
    write: unused,
    clientAddress: unused,
    publicUrl: unused,
    environment: 'development',
    sealer: { seal: unused, open: unused },
    log: silentLog,
    sendsMail: false,
    outbound: { refusalOf: unused },
  })
  await app.ready()
  return routes.map(({ method, url, config, schema }) => ({
    method: method as Method,
    url,
    access: config?.access,
    sensitive: config?.sensitive === true,
    body: schema?.body as Schema | undefined,
  }))
}
