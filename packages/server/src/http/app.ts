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
import { boundUnreadBody } from './body/unread-body.ts'
import { clientRequestIdOf } from './client-request-id.ts'
import { type Leaving, prepareLeaving } from './connections/leaving.ts'
import { closeStalledConnections } from './connections/stalled-connections.ts'
import { createDocument, WITHOUT_COMPILERS } from './document/document.ts'
import { createKnownAddresses, isDisguised, notRouted, pathOf } from './known-addresses.ts'
import { requireOneHost } from './one-host.ts'
import { sendProblem, sendUnrouted } from './problems.ts'
import type { Stops } from './stops.ts'
import {
  answerUnrouted,
  createAnswerNotRouted,
  type Doorway,
  type Fallback,
  findDoorway,
} from './unrouted.ts'
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
    /** The scope that the key must have. */
    scope?: Scope
    /** Whether a key that is bound to agents may call this endpoint at all. */
    agentKeys?: 'allowed'
    /**
     * An alternative scope with which a key that is bound to agents may call this, for its own
     * agents.
     */
    boundScope?: Scope
    /** For the console's own endpoints: open to everyone, or only to members who manage people. */
    access?: 'open' | 'managers'
    /** Set if the change may name the state that it expects, and the field that names that state. */
    ifMatch?: 'version' | 'updatedAt'
    /** Whether a member must have entered the password recently: always, or for some changes. */
    sensitive?: Sensitive
    /** The problems this endpoint answers with, besides those that every endpoint has. */
    problems?: readonly (ProblemCode | ProblemKind)[]
    /**
     * Card issuers call this endpoint: an authorization must be declined rather than delayed, and
     * an event must be accepted. So limits on the rate and on requests in flight do not apply.
     */
    isUnlimited?: true
    /** Set if the whole body is checked for card numbers, not only its texts. */
    cards?: Subject
    /** Set on a POST that changes nothing: each request is processed, whatever its Idempotency-Key. */
    changesNothing?: true
    /**
     * Whether a request with this body takes away the power to spend. Then its transaction does not
     * wait for other requests of the organization (ADR 24).
     */
    stops?: Stops
    /** Whether it answers with a stream that stays open, if the caller accepts one. */
    mayStream?: true
    /** Set on everything under /api/v1. */
    isApi?: true
  }
  interface FastifyInstance {
    /**
     * Addresses below which a door answers unrouted requests in its own format. Doors register
     * themselves.
     */
    readonly doorways: Doorway[]
    /** Parts that may answer requests without a route. The console registers itself. */
    readonly fallbacks: Fallback[]
    readonly leaving: Leaving
    /** The OpenAPI document of all its routes. */
    readonly readDocument: () => Promise<object>
  }
}

export const BODY_BYTES_MAX = 262_144

/** How long the server waits for a client. */
export interface Patience {
  /** The time limit for the head of a request. */
  readonly headMs: number
  /** The time limit for the whole request. A slower client gets 408. */
  readonly requestMs: number
  /** The time limit in which a client must read some part of its answer. */
  readonly stalledMs: number
  /** The interval of these checks. */
  readonly checkMs: number
}

export const PATIENCE = { headMs: 10_000, requestMs: 20_000, stalledMs: 30_000, checkMs: 1_000 }

/** The HTTP frame without any endpoint: parsing, validation, problems and the document. */
export function createApp(
  logger: FastifyBaseLogger,
  { headMs, requestMs, stalledMs, checkMs }: Patience = PATIENCE,
): App {
  const doorways: Doorway[] = []
  const fallbacks: Fallback[] = []
  const app = fastify({
    loggerInstance: logger,
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: requestMs,
    http: { headersTimeout: headMs, connectionsCheckingInterval: checkMs },
    exposeHeadRoutes: false,
    // We write one line per request below, and only at a log level that asks for it: a line costs
    // more than judging a spend.
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
  // serializer that drops fields outside the schema would hide mistakes from them.
  app.setSerializerCompiler(() => JSON.stringify)
  for (const name of ['principal', 'organizationId', 'plan', 'timezone', 'rawBody']) {
    app.decorateRequest(name)
  }
  app.decorate('doorways', doorways)
  app.decorate('fallbacks', fallbacks)
  app.decorate('leaving', prepareLeaving(app))
  addDocument(app)

  readJsonBodies(app)
  const addresses = createKnownAddresses()
  app.addHook('onRoute', ({ method, url }) => addresses.add(method, url))
  const answerNotRouted = createAnswerNotRouted({ addresses, doorways, fallbacks })
  // Hooks that wait for nothing take a callback: a promise for each would cost a decision a few
  // percent.
  app.addHook('onRequest', (request, reply, done) => {
    setHeaders(request, reply)
    requireOneHost(request)
    // The body of a request without a route is not read.
    if (request.is404 || isDisguised(request)) answerNotRouted(request, reply, done)
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
    // Other mistakes of the request, for example in its body, matter less than this.
    const problem = new Problem(
      'route_not_found',
      `${request.method} ${pathOf(request)} does not exist.`,
    )
    answerUnrouted(doorway, problem, request, reply)
  })
  // Requests without a route are answered earlier, when they come in.
  app.setNotFoundHandler((request) => {
    throw notRouted(request, [])
  })
  return app
}

/** Accepts only JSON, and keeps the bytes beside the parsed value. */
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

/**
 * Node itself answers an Expect other than 100-continue, and would then read the body to its end,
 * however it arrives, even from an unauthenticated client.
 */
function refuseExpectations(app: App): void {
  app.server.on('checkExpectation', (_request, response) => {
    response.writeHead(417, { connection: 'close' }).end()
  })
}

async function logRequest(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  logEvent(request.log, 'http.request', {
    requestId: request.id,
    clientRequestId: clientRequestIdOf(request),
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
