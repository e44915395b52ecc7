import { type Static, Type } from 'typebox'
import { Problem } from '../../../base/errors.ts'
import { actorText } from '../../../core/actor.ts'
import { agentNotFound } from '../../../core/agent.ts'
import { toPublicId } from '../../../core/id.ts'
import type { Instant } from '../../../core/time/instant.ts'
import { pageWithNames } from '../../../http/actor-names.ts'
import type { App } from '../../../http/app.ts'
import { RESUMING } from '../../../http/auth/reauthentication.ts'
import { aboutCards } from '../../../http/body/card-numbers.ts'
import {
  AgentId,
  fromPublicId,
  PagingFields,
  pageSchema,
  toPage,
  toPageRequest,
  toTimestamp,
} from '../../../http/document/schemas.ts'
import { stopsWhere } from '../../../http/stops.ts'
import { lockAgent } from '../../../storage/agents.ts'
import type { Tx } from '../../../storage/engine/database.ts'
import { newId } from '../../../storage/new-id.ts'
import { lockOrganization } from '../../../storage/organizations.ts'
import { noteStop } from '../../../storage/stops.ts'
import type { PathParts } from '../../path.ts'
import { CARD_PROBLEMS } from '../problems.ts'
import { storeHolder } from '../storage/card-holders.ts'
import { hasRoomForCard, insertCard, listCards, lockCard, updateCard } from '../storage/cards.ts'
import { hasConnection } from '../storage/connections.ts'
import { forgetUnknownCard } from '../storage/unknown-cards.ts'
import { CARDS_MAX, type Card as CoreCard } from './card.ts'
import { Card, CardChange, CardId, CardInput, ExternalId, Status } from './card-schemas.ts'
import { connectionNotFound } from './connection-routes.ts'
import { ConnectionId } from './connection-schemas.ts'

/** `/cards`: the cards of issuers, and the agent that spends with each. */
export function cardRoutes(app: App, { db, write, clock }: PathParts): void {
  app.route({
    method: 'POST',
    url: '/cards',
    schema: {
      operationId: 'createCard',
      summary: "Register an issuer's card for an agent",
      tags: ['Cards'],
      body: CardInput,
      response: { 200: Card },
    },
    config: {
      scope: 'cards:write',
      sensitive: true,
      cards: aboutCards(),
      problems: [
        'agent_not_found',
        CARD_PROBLEMS.card_connection_not_found,
        CARD_PROBLEMS.card_exists,
        CARD_PROBLEMS.card_limit_reached,
      ],
    },
    handler: (request, reply) =>
      write(request, reply, async (tx, record) => {
        const { organizationId, principal, body } = request
        const [, agent, isConnected, hasRoom, at] = await Promise.all([
          lockOrganization(tx, organizationId),
          lockAgent(tx, organizationId, body.agentId),
          hasConnection(tx, organizationId, fromPublicId('conn', body.connectionId)),
          hasRoomForCard(tx, organizationId),
          clock(tx),
        ])
        const card = newCard(body, at, actorText(principal))
        if (!isConnected) throw connectionNotFound(body.connectionId)
        if (!agent) throw agentNotFound(card.agentId)
        if (!hasRoom) throw limitReached()
        const stored = await insertCard(tx, organizationId, card)
        if (!stored) throw cardExists(card)
        await forgetUnknownCard(tx, organizationId, card)
        const after = toCardShape(stored)
        record({ operation: 'card.created', subjectId: after.id, at, before: null, after })
        return after
      }),
  })

  app.route({
    method: 'GET',
    url: '/cards',
    schema: {
      operationId: 'listCards',
      summary: 'List cards, newest first',
      tags: ['Cards'],
      querystring: Type.Object(
        {
          ...PagingFields,
          connectionId: Type.Optional({
            ...ConnectionId,
            description: 'Only cards of this connection.',
          }),
          externalId: Type.Optional({
            ...ExternalId,
            description: 'Only the card with this `externalId`.',
          }),
          agentId: Type.Optional({ ...AgentId, description: 'Only cards of this agent.' }),
          status: Type.Optional({ ...Status, description: 'Only cards with this status.' }),
        },
        { additionalProperties: false },
      ),
      response: { 200: pageSchema(Card) },
    },
    config: { scope: 'cards:read', agentKeys: 'allowed' },
    handler: async (request) => {
      const { organizationId, principal, query } = request
      const { externalId, agentId, status } = query
      const connectionId =
        query.connectionId === undefined ? undefined : fromPublicId('conn', query.connectionId)
      const filter = { connectionId, externalId, agentId, status, agentIds: principal.agentIds }
      const page = await listCards(db, organizationId, filter, toPageRequest(query))
      return pageWithNames(db, request, 'updatedBy', toPage(page, toCardShape))
    },
  })

  app.route({
    method: 'PATCH',
    url: '/cards/:id',
    schema: {
      operationId: 'updateCard',
      summary: 'Pause, resume, close or label a card, or assign it to another agent',
      description:
        'Changes only how the gateway decides; it does not notify the issuer. A new status without `statusReason` clears the previous reason. If you assign the card to another agent, purchases that have begun, and their later events, stay with the previous agent.',
      tags: ['Cards'],
      params: Type.Object({ id: CardId }),
      body: CardChange,
      response: { 200: Card },
    },
    config: {
      scope: 'cards:write',
      sensitive: ['agentId', RESUMING],
      cards: aboutCards(),
      stops: stopsWhere('status', ['paused', 'closed']),
      problems: [
        'agent_not_found',
        CARD_PROBLEMS.card_not_found,
        CARD_PROBLEMS.card_closed_for_good,
      ],
    },
    handler: (request, reply) =>
      write(request, reply, async (tx, record) => {
        const { organizationId, principal, params, body } = request
        const { agentId } = body
        // Locks the agent before its cards, in the same order as the deletion of an agent.
        const [agent, current, at] = await Promise.all([
          agentId && lockAgent(tx, organizationId, agentId),
          lockCard(tx, organizationId, fromPublicId('card', params.id)),
          clock(tx),
        ])
        if (!current) throw cardNotFound(params.id)
        if (agentId && !agent) throw agentNotFound(agentId)
        const card = changeCard(current, body, at, actorText(principal))
        await updateCard(tx, organizationId, card)
        if (card.agentId !== current.agentId) tx.send(storeHolder(organizationId, card, at))
        noteIfStopped(tx, organizationId, current, card)
        const [before, after] = [toCardShape(current), toCardShape(card)]
        record({ operation: 'card.updated', subjectId: params.id, at, before, after })
        return after
      }),
  })
}

/** Notes the stop, so that a paused or closed card spends nothing once the change has committed. */
function noteIfStopped(tx: Tx, organizationId: string, before: CoreCard, after: CoreCard): void {
  if (after.status !== before.status && after.status !== 'active') noteStop(tx, organizationId)
}

function newCard(body: Static<typeof CardInput>, at: Instant, updatedBy: string): CoreCard {
  return {
    id: newId(at),
    connectionId: fromPublicId('conn', body.connectionId),
    externalId: body.externalId,
    agentId: body.agentId,
    last4: body.last4 ?? null,
    currency: body.currency ?? null,
    label: body.label ?? null,
    status: 'active',
    statusReason: null,
    providerStatus: null,
    metadata: body.metadata ?? {},
    createdAt: at,
    updatedAt: at,
    updatedBy,
  }
}

function cardNotFound(id: string): Problem {
  return new Problem(
    CARD_PROBLEMS.card_not_found,
    `Card ${id} does not exist in this organization.`,
  )
}

function cardExists({ externalId }: CoreCard): Problem {
  return new Problem(
    CARD_PROBLEMS.card_exists,
    `The connection already has the card ${externalId}. GET /cards shows it, and PATCH /cards/:id with an agentId moves it to another agent.`,
  )
}

function limitReached(): Problem {
  return new Problem(
    CARD_PROBLEMS.card_limit_reached,
    `An organization can have at most ${CARDS_MAX} open cards. Close unused ones.`,
    { extra: { limit: CARDS_MAX } },
  )
}

function toCardShape(card: CoreCard): Static<typeof Card> {
  return {
    ...card,
    id: toPublicId('card', card.id),
    connectionId: toPublicId('conn', card.connectionId),
    metadata: { ...card.metadata },
    createdAt: toTimestamp(card.createdAt),
    updatedAt: toTimestamp(card.updatedAt),
  }
}

/** Returns the card after the change. Throws if the change would reopen a closed card. */
function changeCard(
  current: CoreCard,
  body: Static<typeof CardChange>,
  at: Instant,
  updatedBy: string,
): CoreCard {
  const { status = current.status, agentId = current.agentId } = body
  const isOther = status !== current.status
  const isUsed = isOther || agentId !== current.agentId
  if (current.status === 'closed' && isUsed) throw closedForGood(current)
  const statusReason = isOther ? null : current.statusReason
  return { ...current, statusReason, ...body, updatedAt: at, updatedBy }
}

function closedForGood({ id }: CoreCard): Problem {
  return new Problem(
    CARD_PROBLEMS.card_closed_for_good,
    `The card ${toPublicId('card', id)} is closed and cannot be reopened. Register it again, or another card of the issuer, with POST /cards.`,
  )
}
