import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { Problem } from '../base/errors.ts'
import { parseStrictJson } from '../base/strict-json.ts'
import type { App } from './app.ts'
import { boundEntries } from './body/bound-entries.ts'
import { readBody } from './body/read-body.ts'
import { sendBeforeBody } from './body/unread-body.ts'
import { API_PREFIX } from './known-addresses.ts'
import { tellOperator, toProblem } from './problems.ts'
import { checkQuery } from './validation/validation.ts'

/** The organization that a request at a door acts for. */
export interface Caller {
  readonly organizationId: string
  /** Whether real money may be involved. */
  readonly kind: 'live' | 'test'
}

/** The answer of a door instead of a success. An object is sent as JSON, a text unchanged. */
export interface DoorAnswer {
  readonly status: number
  readonly body: object | string
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * An entrance for machines of third parties that speak their own protocol. It requires nothing of
 * ours: no API key, no Idempotency-Key, no rate limit. The routes decide how a retry is answered.
 */
export interface Door {
  /**
   * For example /ingest/stripe/:token. It begins with a fixed part, and the door answers everything
   * below that part. No route may be under /api/v1.
   */
  readonly prefix: string
  /** `raw`: handlers get the bytes, of any type. `json`: they get the strictly parsed value. */
  readonly body: 'raw' | 'json'
  /** Whether its routes are in openapi.json. */
  readonly isDocumented?: true
  /** Runs before the body is parsed. Returns undefined for an unknown caller. */
  identify(request: FastifyRequest): Promise<Caller | undefined> | Caller | undefined
  /**
   * Converts every problem into the protocol's own format: errors of handlers, bugs, a caller that
   * was not identified, bodies that are too large or malformed, and unrouted addresses below the
   * door.
   */
  toAnswer(problem: Problem, request: FastifyRequest): DoorAnswer
  /** Handlers find the caller in `request.caller`, and the bytes with `bytesOf`. */
  routes(app: App): void
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set for requests behind a door. */
    caller: Caller
  }
  interface FastifyContextConfig {
    /** Set on all routes behind a door. */
    isDoor?: true
  }
}

const NO_BYTES = Buffer.alloc(0)

/** Registers the doors of all these paths. */
export async function registerDoors(
  app: App,
  paths: readonly { readonly doors?: readonly Door[] }[],
): Promise<void> {
  for (const door of paths.flatMap(({ doors = [] }) => doors)) await registerDoor(app, door)
}

async function registerDoor(app: App, door: Door): Promise<void> {
  const below = fixedPartOf(door.prefix)
  if (below === '') {
    throw new Error(`The door "${door.prefix}" must begin with a fixed part, such as /ingest.`)
  }
  refuseInsideApi(door.prefix)
  await app.register(
    (scope, _options, done) => {
      scope.decorateRequest('caller')
      scope.addHook('onRoute', (route) => mark(route, door))
      scope.removeAllContentTypeParsers()
      const type = door.body === 'raw' ? '*' : 'application/json'
      scope.addContentTypeParser(type, (request, payload, parsed) => {
        readBody(request, payload, (refused, bytes) => {
          request.rawBody = bytes
          parsed(refused, bytes)
        })
      })
      scope.addHook('preValidation', (request) => admit(request, door))
      scope.setErrorHandler((error, request, reply) => answer(error, request, reply, door))
      // An error thrown here would end the process instead of the registration.
      try {
        door.routes(scope.withTypeProvider())
        done()
      } catch (error) {
        done(error as Error)
      }
    },
    { prefix: door.prefix },
  )
  app.doorways.push({
    below,
    answer: (error, request, reply) => answer(error, request, reply, door),
  })
}

/** Returns the whole segments before the first parameter. */
function fixedPartOf(prefix: string): string {
  return /^(?:\/[^/:*]+)*(?=\/|$)/.exec(prefix)?.[0] ?? ''
}

/** Refuses an address under the API, even if only some value of a parameter leads there. */
function refuseInsideApi(url: string): void {
  const segments = url.split('/')
  const isInside = API_PREFIX.split('/').every((segment, index) => {
    const given = segments[index]
    return given === segment || /[:*]/.test(given ?? (url.endsWith('*') ? '*' : ''))
  })
  if (isInside) throw new Error(`The door's address ${url} must be outside of ${API_PREFIX}.`)
}

/** The original body, whatever was parsed from it; empty if there was none. */
export function bytesOf(request: FastifyRequest): Buffer {
  return request.rawBody ?? NO_BYTES
}

function mark(route: RouteOptions, { isDocumented }: Door): void {
  refuseInsideApi(route.url)
  route.config = { ...route.config, isDoor: true }
  // Our own key, which the document requires everywhere, opens no door.
  const shown = isDocumented ? { security: [], ...route.schema } : { ...route.schema, hide: true }
  route.schema = shown
}

async function admit(request: FastifyRequest, door: Door): Promise<void> {
  const caller = await door.identify(request)
  if (!caller) throw new Problem('unauthenticated', 'The request is not authenticated.')
  request.caller = caller
  request.organizationId = caller.organizationId
  checkQuery(request)
  request.body = door.body === 'raw' ? bytesOf(request) : parse(bytesOf(request))
}

function parse(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  boundEntries(bytes)
  return parseStrictJson(bytes)
}

function answer(error: unknown, request: FastifyRequest, reply: FastifyReply, door: Door): void {
  const problem = toProblem(error)
  tellOperator(problem, request)
  const { status, body, headers = {} } = door.toAnswer(problem, request)
  const isText = typeof body === 'string'
  reply
    .code(status)
    .header('content-type', `${isText ? 'text/plain' : 'application/json'}; charset=utf-8`)
    .headers(headers)
  sendBeforeBody(request, reply, isText ? body : JSON.stringify(body))
}
