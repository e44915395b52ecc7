import assert from 'node:assert/strict'
import { Type } from 'typebox'
import { Problem } from '../../../base/errors.ts'
import { actorText } from '../../../core/actor.ts'
import { pageWithNames } from '../../../http/actor-names.ts'
import type { App } from '../../../http/app.ts'
import {
  RESUMING,
  requireReauthentication,
  type Sensitive,
} from '../../../http/auth/reauthentication.ts'
import { aboutCards } from '../../../http/body/card-numbers.ts'
import {
  fromPublicId,
  PagingFields,
  pageSchema,
  toPage,
  toPageRequest,
} from '../../../http/document/schemas.ts'
import { stopsWhere } from '../../../http/stops.ts'
import { lockOrganization } from '../../../storage/organizations.ts'
import type { PathParts } from '../../path.ts'
import { findIssuer } from '../issuers/index.ts'
import type { Issuer } from '../issuers/issuer.ts'
import { CARD_PROBLEMS } from '../problems.ts'
import {
  countConnections,
  findSealedConnection,
  insertConnection,
  listConnections,
  lockConnection,
  updateConnection,
} from '../storage/connections.ts'
import { newConnection, storeCredentials, withSettings } from './change-connection.ts'
import { CONNECTIONS_MAX } from './connection.ts'
import {
  ConnectionChange,
  ConnectionId,
  ConnectionStatus,
  connectionSchemas,
} from './connection-schemas.ts'
import { endIfRemoved, limitReached, requireStatusChange } from './connection-status.ts'
import { ingestOf } from './ingest.ts'
import { NO_HEALTH, readHealth, toConnectionShape, toSettingsShape } from './show-connection.ts'

/**
 * Approving without judgement, or up to a higher amount, is spending; declining instead is stopping. A
 * connection that fails open approves any request that its deadline leaves no time to judge.
 */
const SENSITIVE: Sensitive = [
  ...['secrets', 'rotateToken'],
  {
    field: 'failMode',
    when: 'with the value `open`',
    isNeeded: ({ failMode }) => failMode === 'open',
  },
  {
    field: 'failOpenMaxAmount',
    when: 'with an amount',
    isNeeded: ({ failOpenMaxAmount }) => failOpenMaxAmount !== null,
  },
  { field: 'deadlineMs', when: 'with a new value while `failMode` is `open`' },
  RESUMING,
]

/** `/card-connections`: how issuers reach the gateway, and how it answers them. */
export function connectionRoutes(
  app: App,
  parts: PathParts & { readonly issuers: readonly Issuer[] },
): void {
  const { db, write, sealer, clock, now, keyKind, publicUrl, issuers } = parts
  const { Connection, ConnectionInput, ProviderName } = connectionSchemas(issuers)
  const livemodeHere = keyKind === 'live'

  app.route({
    method: 'POST',
    url: '/card-connections',
    schema: {
      operationId: 'createCardConnection',
      summary: 'Connect a card issuer',
      description:
        'The response has the ingest URLs with their token, which is shown only here. Register the URLs with the issuer, then set the secrets that the issuer gives you.',
      tags: ['Cards'],
      body: ConnectionInput,
      response: { 200: Connection },
    },
    config: {
      scope: 'cards:write',
      sensitive: true,
      cards: aboutCards(),
      problems: [CARD_PROBLEMS.card_connection_limit_reached, CARD_PROBLEMS.livemode_mismatch],
    },
    handler: (request, reply) => {
      const { organizationId, principal, body } = request
      const { livemode = livemodeHere } = body
      if (livemode !== livemodeHere) throw livemodeMismatch(livemodeHere)
      return write(request, reply, async (tx, record) => {
        const locked = lockOrganization(tx, organizationId)
        const [, count, at] = await Promise.all([
          locked,
          countConnections(tx, organizationId),
          clock(tx),
        ])
        if (count >= CONNECTIONS_MAX) throw limitReached()
        const issuer = findIssuer(issuers, body.provider)
        const made = newConnection(issuer, body, livemode, at)
        const connection = withSettings(issuer, made, body, at, actorText(principal))
        await insertConnection(tx, organizationId, connection)
        const { id } = connection
        const asked = { secrets: body.secrets, isTokenNew: issuer !== undefined }
        const token = storeCredentials(tx, sealer, organizationId, { id }, asked, at)
        const stored = await lockConnection(tx, organizationId, id)
        assert(stored, 'the connection was stored in this transaction')
        const ingest = ingestOf(issuer, token, publicUrl())
        const shape = toConnectionShape(stored, ingest, NO_HEALTH, at)
        const after = toSettingsShape(stored, at)
        record({
          operation: 'card_connection.created',
          subjectId: shape.id,
          at,
          before: null,
          after,
        })
        return shape
      })
    },
  })

  app.route({
    method: 'GET',
    url: '/card-connections',
    schema: {
      operationId: 'listCardConnections',
      summary: 'List the connections to card issuers with their health, newest first',
      tags: ['Cards'],
      querystring: Type.Object(
        {
          ...PagingFields,
          provider: Type.Optional({
            ...ProviderName,
            description: 'Only connections to this issuer.',
          }),
          status: Type.Optional({
            ...ConnectionStatus,
            description: 'Only connections with this status.',
          }),
        },
        { additionalProperties: false },
      ),
      response: { 200: pageSchema(Connection) },
    },
    config: { scope: 'cards:read' },
    handler: async (request) => {
      const { organizationId, query } = request
      const { provider, status } = query
      const filter = { provider, status }
      const page = await listConnections(db, organizationId, filter, toPageRequest(query))
      const at = now()
      const healthOf = await readHealth(db, organizationId, page.rows, at)
      const shown = toPage(page, (connection) => {
        const issuer = findIssuer(issuers, connection.provider)
        const ingest = ingestOf(issuer, undefined, publicUrl())
        return toConnectionShape(connection, ingest, healthOf(connection), at)
      })
      return pageWithNames(db, request, 'updatedBy', shown)
    },
  })

  app.route({
    method: 'PATCH',
    url: '/card-connections/:id',
    schema: {
      operationId: 'updateCardConnection',
      summary: 'Change a card connection, its secrets or its token, or remove it',
      description:
        'After a change, the previous value of a secret or of the token stays valid for 24 hours. Older values are refused.',
      tags: ['Cards'],
      params: Type.Object({ id: ConnectionId }),
      body: ConnectionChange,
      response: { 200: Connection },
    },
    config: {
      scope: 'cards:write',
      sensitive: SENSITIVE,
      cards: aboutCards(),
      stops: stopsWhere('status', ['disabled', 'removed']),
      problems: [
        CARD_PROBLEMS.card_connection_not_found,
        CARD_PROBLEMS.card_connection_in_use,
        CARD_PROBLEMS.card_connection_removed,
        CARD_PROBLEMS.card_connection_limit_reached,
      ],
    },
    handler: (request, reply) =>
      write(request, reply, async (tx, record) => {
        const { organizationId, principal, params, body } = request
        const id = fromPublicId('conn', params.id)
        const { status } = body
        // Enabling counts the other connections, and removing closes cards, so both lock the
        // organization, as registering a card does.
        const [, current, sealed, at] = await Promise.all([
          status && lockOrganization(tx, organizationId),
          lockConnection(tx, organizationId, id),
          findSealedConnection(tx, organizationId, id),
          clock(tx),
        ])
        if (!current || !sealed) throw connectionNotFound(params.id)
        await requireStatusChange(tx, organizationId, current, status)
        const issuer = findIssuer(issuers, current.provider)
        const changed = withSettings(issuer, current, body, at, actorText(principal))
        const hasOtherDeadline = changed.deadlineMs !== current.deadlineMs
        if (hasOtherDeadline && changed.failMode === 'open')
          requireReauthentication(principal, now())
        await updateConnection(tx, organizationId, changed)
        const asked = { secrets: body.secrets, isTokenNew: body.rotateToken === true }
        const token = storeCredentials(tx, sealer, organizationId, sealed, asked, at)
        endIfRemoved(tx, organizationId, changed)
        const stored = await lockConnection(tx, organizationId, id)
        assert(stored, 'the connection is locked by this transaction')
        record({
          operation: 'card_connection.updated',
          subjectId: params.id,
          at,
          before: toSettingsShape(current, at),
          after: { ...toSettingsShape(stored, at), ...(token && { ingestToken: 'replaced' }) },
        })
        const healthOf = await readHealth(tx, organizationId, [stored], at)
        const ingest = ingestOf(issuer, token, publicUrl())
        return toConnectionShape(stored, ingest, healthOf(stored), at)
      }),
  })
}

export function connectionNotFound(id: string): Problem {
  return new Problem(
    CARD_PROBLEMS.card_connection_not_found,
    `Connection ${id} does not exist in this organization, or was removed.`,
  )
}

function livemodeMismatch(isLive: boolean): Problem {
  const [here, other] = isLive ? ['live', 'test'] : ['test', 'live']
  return new Problem(
    CARD_PROBLEMS.livemode_mismatch,
    `This is a ${here} installation, and the connection is a ${other} one: ${
      isLive
        ? 'test purchases would be charged to real budgets.'
        : 'real money would be governed by test budgets. Set PURSER_ENV=production on an installation for real money.'
    } Leave livemode out, or set it to ${isLive}.`,
  )
}
