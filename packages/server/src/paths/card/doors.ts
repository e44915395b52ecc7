import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../base/errors.ts'
import { logEvent } from '../../base/log/log-event.ts'
import type { Log } from '../../base/log.ts'
import { DEADLINE_PASSED } from '../../core/decision/late.ts'
import type { App } from '../../http/app.ts'
import { bytesOf, type Door, type DoorAnswer } from '../../http/door.ts'
import { repeatedTransaction } from '../../storage/engine/repeated-transaction.ts'
import type { Authorizer } from './authorize.ts'
import { byDeadline } from './by-deadline.ts'
import { type EventParts, hear } from './events.ts'
import { flagEvent } from './flag-event.ts'
import type { Issuer, IssuerAnswer, Unread } from './issuers/issuer.ts'
import { CARD_LOG_EVENTS } from './log-events.ts'
import type { OpenedConnection, SecretKind } from './registry/connection.ts'
import type { FindConnection } from './registry/find-connection.ts'
import { flagUnreadable } from './registry/flagged.ts'
import { addressesOf } from './registry/ingest.ts'
import { hasRoomForFlag } from './storage/flagged.ts'
import { declined } from './verdict.ts'

const HOUR_MS = 60 * 60 * 1_000

export interface DoorParts extends EventParts {
  readonly find: FindConnection
  readonly authorizer: Authorizer
  readonly log: Log
}

/**
 * The addresses that issuers call: one protocol per issuer, with two secrets and a token in the URL.
 */
export function createDoors(parts: DoorParts, issuers: readonly Issuer[]): readonly Door[] {
  return issuers.map((issuer) => createDoor(parts, issuer))
}

function createDoor(parts: DoorParts, issuer: Issuer): Door {
  const arrivals = new WeakMap<FastifyRequest, number>()
  const admitted = new WeakMap<FastifyRequest, OpenedConnection>()
  const arrivalOf = (request: FastifyRequest) => arrivals.get(request) ?? performance.now()

  /** Throws 404 for an unknown token. Returns undefined if the signature is wrong. */
  async function identify(request: FastifyRequest) {
    const { token = '' } = request.params as { token?: string }
    const answerBy = arrivalOf(request) + issuer.deadlineMs
    const found = await byDeadline(parts.find.byToken(token), answerBy)
    if (found === 'late')
      throw new Problem('storage_unavailable', 'The database did not answer in time.')
    const connection = found.value
    if (connection?.provider !== issuer.provider) throw nobodyThere()
    const kind: SecretKind = isAsked(request) ? 'authorization' : 'events'
    const signed = { body: bytesOf(request), header: headersOf(request) }
    const seconds = parts.now() / 1_000
    const isSigned = connection.secrets[kind].some((secret) =>
      issuer.verify(signed, secret, seconds),
    )
    if (!isSigned) {
      parts.health.note(connection, { what: 'signature_failure' })
      return undefined
    }
    admitted.set(request, connection)
    const { organizationId, livemode } = connection
    return { organizationId, kind: livemode ? ('live' as const) : ('test' as const) }
  }

  function connectionOf(request: FastifyRequest): OpenedConnection {
    const found = admitted.get(request)
    if (!found) throw new Error('A request was not authenticated.')
    return found
  }

  async function ask(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const connection = connectionOf(request)
    const asked = issuer.readRequest(readJson(bytesOf(request)), headersOf(request))
    if ('unread' in asked) {
      tellUnread(parts, connection, asked, 'card.request_unreadable')
      return send(reply, issuer.answer(declined('malformed_request'), asked))
    }
    const { verdict } = await parts.authorizer.authorize(connection, asked, arrivalOf(request))
    return send(reply, issuer.answer(verdict, asked))
  }

  async function tell(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const connection = connectionOf(request)
    const told = issuer.readEvent(readJson(bytesOf(request)), headersOf(request))
    if ('unread' in told) {
      tellUnread(parts, connection, told, 'card.event_unreadable')
      if (told.unread === 'malformed') await flagUnread(parts, connection, bytesOf(request), told)
    } else if (told.isLive === null || told.isLive === connection.livemode) {
      // An event of the other mode (live or test) is not for this connection.
      await hear(parts, connection, told)
    }
    return send(reply, RECEIVED)
  }

  /**
   * Answers a failed request. If the gateway failed (5xx), an authorization request gets a decline in
   * the issuer's format. An event gets the error status, so that the issuer sends it again.
   */
  function toAnswer(problem: Problem, request: FastifyRequest): DoorAnswer {
    if (problem.status < 500 || !isAsked(request)) {
      return { status: problem.status, body: { error: problem.code } }
    }
    const asked = issuer.readRequest(readJson(bytesOf(request)), headersOf(request))
    const { status, headers, body } = issuer.answer(declined(DEADLINE_PASSED), asked)
    return { status, body: JSON.parse(body), headers }
  }

  const prefix = `/ingest/${issuer.provider}/:token`
  const addresses = addressesOf(issuer, ':token')
  return {
    prefix,
    body: 'raw',
    identify,
    toAnswer,
    routes(app: App) {
      // The issuer's deadline starts when the request arrives, so the time in other hooks and for
      // reading the body counts too.
      app.addHook('onRequest', (request, reply, done) => {
        arrivals.set(request, performance.now() - reply.elapsedTime)
        done()
      })
      app.post(addresses.authorizationUrl.slice(prefix.length), ask)
      app.post(addresses.eventsUrl.slice(prefix.length), tell)
    },
  }
}

const RECEIVED: IssuerAnswer = {
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: '{"received":true}',
}

function nobodyThere(): Problem {
  return new Problem('route_not_found', 'This address does not exist.')
}

function isAsked(request: FastifyRequest): boolean {
  return !(request.routeOptions.url ?? '').endsWith('/events')
}

function headersOf({ headers }: FastifyRequest): (name: string) => string | undefined {
  return (name) => {
    const value = headers[name]
    return Array.isArray(value) ? value.join(',') : value
  }
}

/** Returns undefined for invalid JSON; every issuer's reader treats that as malformed. */
function readJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}

function send(reply: FastifyReply, { status, headers, body }: IssuerAnswer): FastifyReply {
  return reply.code(status).headers(headers).serializer(String).send(body)
}

/**
 * Stores the flag before the answer: an issuer that gives up on the event has no other receiver for it.
 */
async function flagUnread(
  { db, clock }: DoorParts,
  connection: OpenedConnection,
  body: Buffer,
  { why }: Unread,
): Promise<void> {
  await repeatedTransaction(db, connection.organizationId, async (tx) => {
    const at = await clock(tx)
    const since = at - HOUR_MS
    if (await hasRoomForFlag(tx, connection, since)) {
      await flagEvent(tx, connection, flagUnreadable(body, why, at))
    }
  })
}

/** Ignores messages that are not for us. Logs malformed ones, since they may be about money. */
function tellUnread(
  { log }: DoorParts,
  { id }: OpenedConnection,
  { unread, why }: Unread,
  event: 'card.request_unreadable' | 'card.event_unreadable',
): void {
  if (unread === 'malformed') logEvent(log, CARD_LOG_EVENTS[event], { connectionId: id, why })
}
