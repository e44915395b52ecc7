import { randomBytes } from 'node:crypto'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  LogController,
  type RawReplyDefaultExpression,
  type RawRequestDefaultExpression,
  type RawServerDefault,
} from 'fastify'
import { Problem, type ProblemCode, type ProblemKind } from '../base/errors.ts'
import { logEvent } from '../base/log/log-event.ts'
import type { Scope } from '../core/api-key.ts'
import type { Subject } from '../core/card-number.ts'
import type { Plan } from '../core/plan.ts'
import type { Principal } from '../core/principal.ts'
import type { Sensitive } from './auth/reauthentication.ts'
import { refuseCardNumbers } from './body/card-numbers.ts'
import { createParseBody } from './body/parse-in-turn.ts'
import { readBody } from './body/read-body.ts'
import { boundUnreadBody, sendBeforeBody } from './body/unread-body.ts'
import { type Leaving, prepareLeaving } from './connections/leaving.ts'
import { closeStalledConnections } from './connections/stalled-connections.ts'
import { createDocument, WITHOUT_COMPILERS } from './document/document.ts'
import { createKnownAddresses, isDisguised, notRouted, pathOf } from './known-addresses.ts'
import { requireOneHost } from './one-host.ts'
import { sendProblem, sendUnrouted } from './problems.ts'
import type { Stops } from './stops.ts'
import { checkBesidesSchema, validatorCompiler } from './validation/validation.ts'

export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal
    organizationId: string
    plan: Plan
    /** The time zone of the organization. */
    timezone: string
    rawBody: Buffer | undefined
  }
  interface FastifyContextConfig {
    /** What the key must be allowed to do. */
    scope?: Scope
    /** Whether a key that is bound to agents may call this at all. */
    agentKeys?: 'allowed'
    /** With which other scope a key that is bound to agents may call this, for what is its own. */
    boundScope?: Scope
    /** Of the console's own endpoints: for anybody, or for members who manage people. */
    access?: 'open' | 'managers'
    /** Whether a member must have given the password lately: always, or for some changes. */
    sensitive?: Sensitive
    /** The problems this endpoint answers with, besides those that every endpoint has. */
    problems?: readonly (ProblemCode | ProblemKind)[]
    /**
     * An issuer waits at the other end: what it asks is declined rather than put off, and what it tells
     * must be heard. So no limit of rate or of requests in flight holds.
     */
    isUnlimited?: true
    /** Set where all of the body is looked at for numbers of cards, and not only its texts. */
    cards?: Subject
    /** Set on a POST that changes nothing: it is answered anew each time, whatever its Idempotency-Key. */
    changesNothing?: true
    /**
     * Whether a request with this body takes power to spend away. Then its transaction waits for no other
     * request of the organization (ADR 24).
     */
    stops?: Stops
    /** Whether it answers with a stream that stays open, if the caller accepts one. */
    mayStream?: true
    /** Set on everything under /api/v1. */
    isApi?: true
  }
  interface FastifyInstance {
    /** Where others answer in their own form what no route takes. Doors add themselves. */
    readonly doorways: Doorway[]
    readonly leaving: Leaving
    /** The OpenAPI document of all its routes. */
    readonly readDocument: () => Promise<object>
  }
}

/** An address below which even what no route takes is answered in another form than ours. */
export interface Doorway {
  /** Without parameters, such as /ingest/stripe. */
  readonly below: string
  answer(error: unknown, request: FastifyRequest, reply: FastifyReply): void
}

export const API_PREFIX = '/api/v1'
export const BODY_BYTES_MAX = 262_144

/** How long is waited for a client. */
export interface Patience {
  /** For the head of a request. */
  readonly headMs: number
  /** For all of a request. A client that takes longer is answered 408. */
  readonly requestMs: number
  /** For taking any part of an answer. */
  readonly stalledMs: number
  /** How often all of that is looked at. */
  readonly checkMs: number
}

export const PATIENCE = { headMs: 10_000, requestMs: 20_000, stalledMs: 30_000, checkMs: 1_000 }

/** The HTTP frame without any endpoint: parsing, validation, problems and the document. */
export function createApp(
  logger: FastifyBaseLogger,
  { headMs, requestMs, stalledMs, checkMs }: Patience = PATIENCE,
): App {
  const doorways: Doorway[] = []
  const app = fastify({
    loggerInstance: logger,
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: requestMs,
    http: { headersTimeout: headMs, connectionsCheckingInterval: checkMs },
    exposeHeadRoutes: false,
    // We write one line per request below, and only at a log level that asks for it: for a
    // decision, a line would cost more than the judging.
    logController: new LogController({ disableRequestLogging: true }),
    schemaController: WITHOUT_COMPILERS,
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: true },
    genReqId: createRequestIds(),
    // A logger for each request costs more than its hooks, and almost no request logs anything.
    childLoggerFactory: (parent) => parent,
    // A request that arrives on an open connection while the process stops is still answered,
    // because it was accepted. Its connection is closed afterwards.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    frameworkErrors(error, request, reply) {
      // No hook runs for an address that cannot be routed.
      setHeaders(request, reply)
      answerUnrouted(findDoorway(doorways, request), error, request, reply)
    },
  }).withTypeProvider<TypeBoxTypeProvider>()

  app.setValidatorCompiler(validatorCompiler)
  // Answers are plain data that we make. The tests check each one against its schema, and a
  // serializer that drops what does not fit would hide mistakes from them.
  app.setSerializerCompiler(() => JSON.stringify)
  for (const name of ['principal', 'organizationId', 'plan', 'timezone', 'rawBody']) {
    app.decorateRequest(name)
  }
  app.decorate('doorways', doorways)
  app.decorate('leaving', prepareLeaving(app))
  addDocument(app)

  readJsonBodies(app)
  const answerNotRouted = createAnswerNotRouted(app)
  // Hooks that wait for nothing take a callback: a promise for each would cost a decision a few
  // percent.
  app.addHook('onRequest', (request, reply, done) => {
    setHeaders(request, reply)
    requireOneHost(request)
    // The body of a request that leads nowhere is not read.
    if (request.is404 || isDisguised(request)) answerNotRouted(request, reply)
    else done()
  })
  if (logger.level === 'debug' || logger.level === 'trace') app.addHook('onResponse', logRequest)
  app.addHook('preValidation', (request, reply, done) => {
    boundUnreadBody(request, reply)
    refuseCardNumbers(request)
    checkBesidesSchema(request)
    done()
  })
  closeStalledConnections(app.server, { stalledMs, checkMs })
  refuseExpectations(app)
  app.setErrorHandler((error, request, reply) => {
    if (!request.is404 && !isDisguised(request)) return sendProblem(error, request, reply)
    const doorway = findDoorway(doorways, request)
    if (!doorway) return sendUnrouted(error, request, reply)
    // Whatever else is wrong with the request, such as its body, matters less than this.
    const problem = new Problem(
      'route_not_found',
      `${request.method} ${pathOf(request)} does not exist.`,
    )
    answerUnrouted(doorway, problem, request, reply)
  })
  // Everything that no route takes is answered before this, when it comes in.
  app.setNotFoundHandler((request) => {
    throw notRouted(request, [])
  })
  return app
}

/** Nothing but JSON is taken, and its bytes are kept beside what they say. */
function readJsonBodies(app: App): void {
  app.removeAllContentTypeParsers()
  const parseBody = createParseBody()
  app.addContentTypeParser('application/json', (request, payload, done) => {
    readBody(request, payload, (refused, body) => {
      // Many clients send an empty body to endpoints that take none.
      if (refused || body.length === 0) return done(refused, undefined)
      request.rawBody = body
      parseBody(body, done)
    })
  })
}

function addDocument(app: App): void {
  const document = createDocument()
  app.addHook('onRoute', document.note)
  app.decorate('readDocument', document.read)
}

function setHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-request-id', request.id)
  reply.header('x-content-type-options', 'nosniff')
  reply.header('cache-control', 'no-store')
}

/** Answers a request that no route takes. OPTIONS is answered wherever another method is taken. */
function createAnswerNotRouted(app: App): (request: FastifyRequest, reply: FastifyReply) => void {
  const addresses = createKnownAddresses()
  app.addHook('onRoute', ({ method, url }) => addresses.add(method, url))

  return (request, reply) => {
    // A door answers in its own form, also a method that it does not take.
    const isAtDoor = findDoorway(app.doorways, request) !== undefined
    const leadsNowhere = isAtDoor || isDisguised(request)
    const methods = leadsNowhere ? [] : addresses.methodsAt(pathOf(request))
    if (methods.length > 0) reply.header('allow', methods.join(', '))
    if (methods.length === 0 || request.method !== 'OPTIONS') throw notRouted(request, methods)
    sendBeforeBody(request, reply, '')
  }
}

/**
 * By the beginning of the address only, because the router finds no door for an address whose
 * parameter is missing, too long or cannot be decoded.
 */
function findDoorway(doorways: readonly Doorway[], request: FastifyRequest): Doorway | undefined {
  const path = `${pathOf(request)}/`
  if (path.startsWith(`${API_PREFIX}/`)) return undefined
  return doorways
    .filter(({ below }) => path.startsWith(`${below}/`))
    .reduce<Doorway | undefined>(
      (found, one) => (found && found.below.length >= one.below.length ? found : one),
      undefined,
    )
}

function answerUnrouted(
  doorway: Doorway | undefined,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  try {
    const send = doorway?.answer ?? sendUnrouted
    send(error, request, reply)
  } catch (defect) {
    sendUnrouted(defect, request, reply)
  }
}

/**
 * Node answers an Expect other than 100-continue itself, and would then read the body to its end,
 * however it comes and whoever sends it.
 */
function refuseExpectations(app: App): void {
  app.server.on('checkExpectation', (_request, response) => {
    response.writeHead(417, { connection: 'close' }).end()
  })
}

async function logRequest(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  logEvent(request.log, 'http.request', {
    requestId: request.id,
    method: request.method,
    route: request.routeOptions.url,
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime * 100) / 100,
    organizationId: request.organizationId,
    key: request.principal?.prefix,
  })
}

/** Unique over all processes because of a random start, and cheap: one addition per request. */
function createRequestIds(): () => string {
  const process = randomBytes(9).toString('base64url').replace(/[-_]/g, '0')
  let count = 0
  return () => `req_${process}${(count++).toString(36).padStart(6, '0')}`
}
