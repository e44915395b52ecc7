import { Type } from 'typebox'
import { Problem } from '../../base/errors.ts'
import { DEADLINE_PASSED } from '../../core/decision/late.ts'
import { toUuid } from '../../core/id.ts'
import type { App } from '../../http/app.ts'
import { aboutCards } from '../../http/body/card-numbers.ts'
import { isStorageAway } from '../../storage/engine/storage-error.ts'
import { CardDecision, toCardAnswer } from './answer.ts'
import type { Authorized, Authorizer } from './authorize.ts'
import { byDeadline } from './by-deadline.ts'
import { type EventParts, hear } from './events.ts'
import { toCardRequest } from './issuers/generic.ts'
import { toCardEvent } from './issuers/generic-events.ts'
import { AuthorizeBody, EventBody } from './issuers/generic-schemas.ts'
import { GENERIC, GENERIC_DEADLINE_MS } from './issuers/index.ts'
import { CARD_PROBLEMS } from './problems.ts'
import type { OpenedConnection } from './registry/connection.ts'
import type { FindConnection } from './registry/find-connection.ts'
import { declined } from './verdict.ts'

export interface CardGatewayParts extends EventParts {
  readonly find: FindConnection
  readonly authorizer: Authorizer
}

/**
 * Networks number requests, payments and merchants; one in ten such numbers looks like a card number.
 */
const ABOUT_CARDS = aboutCards(
  'requestId',
  'eventId',
  'authorizationId',
  'externalTransactionId',
  'id',
)

const Received = Type.Object(
  { received: Type.Literal(true, { description: 'The event is stored.' }) },
  { title: 'CardEventReceived', examples: [{ received: true }] },
)

/**
 * The same requests and events as at the issuers' own addresses, in Purser's own format, for any issuer
 * that an adapter can translate.
 */
export function cardGatewayRoutes(app: App, parts: CardGatewayParts): void {
  app.route({
    method: 'POST',
    url: '/gateway/card/authorize',
    schema: {
      operationId: 'authorizeCard',
      summary: 'Decide on a card authorization and record the decision',
      description:
        'Returns 200 for an approval and for a decline. The gateway always responds within the deadline of the connection. A retry is recognized by its `requestId`.',
      tags: ['Cards'],
      body: AuthorizeBody,
      response: { 200: CardDecision },
    },
    config: {
      scope: 'cards:write',
      isUnlimited: true,
      cards: ABOUT_CARDS,
      problems: [CARD_PROBLEMS.card_connection_not_found],
    },
    handler: async ({ organizationId, principal, body }, reply) => {
      const receivedAt = performance.now() - reply.elapsedTime
      const asked = toCardRequest(body, parts.now())
      const finding = findGeneric(parts, organizationId, body.connectionId)
      const found = await byDeadline(finding, receivedAt + GENERIC_DEADLINE_MS).catch(lateIfAway)
      const authorized: Authorized =
        found === 'late'
          ? { verdict: declined(DEADLINE_PASSED, asked) }
          : await parts.authorizer.authorize(found.value, asked, receivedAt, principal.id)
      if (authorized.decided?.isReplay) reply.header('idempotent-replayed', 'true')
      return reply
        .header('content-type', 'application/json; charset=utf-8')
        .serializer(String)
        .send(toCardAnswer(authorized) as never)
    },
  })

  app.route({
    method: 'POST',
    url: '/gateway/card/events',
    schema: {
      operationId: 'tellCardEvent',
      summary: 'Report a capture, reversal, refund or other card event',
      description:
        'Events may arrive late, more than once and in any order; the result is the same. When the response arrives, the event is on disk and booked.',
      tags: ['Cards'],
      body: EventBody,
      response: { 200: Received },
    },
    config: {
      scope: 'cards:write',
      isUnlimited: true,
      cards: ABOUT_CARDS,
      problems: [CARD_PROBLEMS.card_connection_not_found],
    },
    handler: async ({ organizationId, body }) => {
      const connection = await findGeneric(parts, organizationId, body.connectionId)
      await hear(parts, connection, toCardEvent(body, parts.now()))
      return { received: true as const }
    },
  })
}

/** An unavailable store counts as late, like a slow one. */
function lateIfAway(error: unknown): 'late' {
  if (isStorageAway(error)) return 'late'
  throw error
}

/** Returns synchronously if the connection is cached, as it nearly always is. */
function findGeneric(
  { find }: CardGatewayParts,
  organizationId: string,
  connectionId: string,
): OpenedConnection | Promise<OpenedConnection> {
  const id = toUuid('conn', connectionId)
  const found = id === undefined ? undefined : find.byId(organizationId, id)
  const requireGeneric = (connection: OpenedConnection | undefined): OpenedConnection => {
    if (connection?.provider === GENERIC) return connection
    throw new Problem(
      CARD_PROBLEMS.card_connection_not_found,
      `No connection ${connectionId} with the provider generic exists.`,
    )
  }
  return found instanceof Promise ? found.then(requireGeneric) : requireGeneric(found)
}
