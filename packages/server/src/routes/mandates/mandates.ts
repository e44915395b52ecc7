import { Type } from 'typebox'
import { Problem } from '../../base/errors.ts'
import { actorText } from '../../core/actor.ts'
import { agentNotFound } from '../../core/agent.ts'
import { actsFor } from '../../core/api-key.ts'
import { toPublicId } from '../../core/id.ts'
import { type Mandate as CoreMandate, statusAt } from '../../core/mandates/mandate.ts'
import { checkPlace, checkTerms } from '../../core/mandates/mandate-change.ts'
import { mandateNotFound } from '../../core/mandates/not-found.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { Gateway } from '../../gateway/gateway.ts'
import { pageWithNames, withActorName } from '../../http/actor-names.ts'
import type { App } from '../../http/app.ts'
import {
  AgentId,
  fromPublicId,
  PagingFields,
  pageSchema,
  toPage,
  toPageRequest,
} from '../../http/document/schemas.ts'
import type { Write } from '../../http/idempotency.ts'
import { lockAgent } from '../../storage/agents.ts'
import type { DatabaseClock } from '../../storage/engine/clock.ts'
import type { Database } from '../../storage/engine/database.ts'
import { insertMandate } from '../../storage/mandate-changes.ts'
import { lockMandate } from '../../storage/mandate-locks.ts'
import { findAncestors, findShownMandate, listMandates } from '../../storage/mandates.ts'
import { newId } from '../../storage/new-id.ts'
import { getOrganization } from '../../storage/organizations.ts'
import { rankMandates } from '../../storage/percent-used.ts'
import { SearchText, SortByUse } from '../list-parameters.ts'
import { createNextDraft } from './next-draft.ts'
import {
  Mandate,
  MandateId,
  MandateInput,
  MandateStatus,
  mandateETag,
  toShownMandate,
  toWrittenShape,
} from './shape.ts'
import { toDraftTerms, toNewMandate, withWarnings } from './terms.ts'

export const MandatePath = Type.Object({ id: MandateId })

interface MandateParts {
  readonly db: Database
  readonly gateway: Gateway
  readonly write: Write
  readonly now: () => number
  readonly clock: DatabaseClock
}

export function mandateRoutes(app: App, { db, gateway, write, now, clock }: MandateParts): void {
  app.route({
    method: 'POST',
    url: '/mandates',
    schema: {
      operationId: 'createMandate',
      summary: 'Create a draft mandate',
      tags: ['Mandates'],
      body: MandateInput,
      response: { 200: Mandate },
    },
    config: {
      scope: 'mandates:write',
      problems: [
        'agent_not_found',
        'mandate_not_found',
        'mandate_wider_than_parent',
        'parent_not_active',
        'mandate_state',
        'draft_limit_reached',
        'expressions_too_costly',
      ],
    },
    handler: (request, reply) => {
      const { organizationId, principal, body: input } = request
      const { draftOf } = input
      if (draftOf !== undefined) {
        const next = { organizationId, principal, draftOf, body: input }
        return write(request, reply, (tx, record) => createNextDraft(tx, record, next, clock))
      }
      return write(request, reply, async (tx, record) => {
        const body = toNewMandate(input)
        const agent = await lockAgent(tx, organizationId, body.agentId)
        if (!agent) throw agentNotFound(body.agentId)
        const [ancestors, organization, at] = await Promise.all([
          body.parentMandateId ? lockParents(body.parentMandateId) : [],
          getOrganization(tx, organizationId),
          clock(tx),
        ])
        const [parent] = ancestors
        if (parent) checkParent(parent, at)
        const mandate: CoreMandate = {
          ...toDraftTerms(body, { agent, organization, parent }),
          id: newId(at),
          agentId: agent.id,
          parentMandateId: parent?.id ?? null,
          status: 'draft',
          version: 1,
          draftOf: null,
          draftOfVersion: null,
          origins: null,
          budgetSpent: 0n,
          budgetHeld: 0n,
          spentPeriodStart: null,
          createdAt: at,
          activatedAt: null,
          revokedAt: null,
          archivedAt: null,
          updatedAt: at,
          updatedBy: actorText(principal),
        }
        checkTerms(mandate, at)
        checkPlace(mandate, ancestors)
        await insertMandate(tx, organizationId, mandate, ancestors, principal)
        const [subjectId, after] = [toPublicId('mnd', mandate.id), toWrittenShape(mandate, at)]
        record({ operation: 'mandate.created', subjectId, at, before: null, after })
        return withWarnings(mandate, at)

        async function lockParents(publicId: string): Promise<CoreMandate[]> {
          const id = fromPublicId('mnd', publicId)
          const [found, above] = await Promise.all([
            lockMandate(tx, organizationId, id),
            findAncestors(tx, organizationId, id),
          ])
          if (!found) throw mandateNotFound(publicId)
          return [found, ...above]
        }
      })
    },
  })

  app.route({
    method: 'GET',
    url: '/mandates',
    schema: {
      operationId: 'listMandates',
      summary: 'List mandates, newest first',
      tags: ['Mandates'],
      querystring: Type.Object(
        {
          ...PagingFields,
          agentId: Type.Optional({ ...AgentId, description: 'Only mandates of this agent.' }),
          status: Type.Optional({
            ...MandateStatus,
            description: 'Only mandates with this status.',
          }),
          parentMandateId: Type.Optional({
            ...MandateId,
            description: 'Only child mandates of this mandate.',
          }),
          q: Type.Optional({
            ...SearchText,
            description:
              "Only mandates whose name, or whose agent's name, contains this text, in upper or lower case.",
          }),
          sort: SortByUse,
          draftOf: Type.Optional({
            ...MandateId,
            description: 'Only drafts of the next version of this mandate.',
          }),
          archived: Type.Boolean({
            default: false,
            description:
              'If true, return only archived mandates. Otherwise archived mandates are left out.',
          }),
        },
        { additionalProperties: false },
      ),
      response: { 200: pageSchema(Mandate) },
    },
    config: { scope: 'mandates:read', boundScope: 'gateway:read', agentKeys: 'allowed' },
    handler: async (request) => {
      const { organizationId, principal, query } = request
      const at = now()
      const { agentId, status, archived, q, sort, parentMandateId: parent, draftOf } = query
      const filter = {
        agentId,
        status,
        archived,
        q,
        parentMandateId: parent === undefined ? undefined : fromPublicId('mnd', parent),
        draftOf: draftOf === undefined ? undefined : fromPublicId('mnd', draftOf),
        agentIds: principal.agentIds,
      }
      await gateway.releaseOverdue(organizationId)
      const rank = sort && (await rankMandates(db, organizationId, at))
      const page = await listMandates(db, organizationId, filter, at, toPageRequest(query), rank)
      const shown = toPage(page, (mandate) => toShownMandate(mandate, at))
      return pageWithNames(db, request, 'updatedBy', shown)
    },
  })

  app.route({
    method: 'GET',
    url: '/mandates/:id',
    schema: {
      operationId: 'getMandate',
      summary: 'Get one mandate with its current budget',
      tags: ['Mandates'],
      params: MandatePath,
      response: { 200: Mandate },
    },
    config: {
      scope: 'mandates:read',
      boundScope: 'gateway:read',
      agentKeys: 'allowed',
      problems: ['mandate_not_found'],
    },
    handler: async (request, reply) => {
      const { organizationId, principal, params } = request
      await gateway.releaseOverdue(organizationId)
      const mandate = await findShownMandate(db, organizationId, fromPublicId('mnd', params.id))
      if (!mandate || !actsFor(principal, mandate.agentId)) throw mandateNotFound(params.id)
      reply.header('etag', mandateETag(mandate))
      return withActorName(db, request, 'updatedBy', toShownMandate(mandate, now()))
    },
  })
}

function checkParent(parent: CoreMandate, at: Instant): void {
  const status = statusAt(parent, at)
  const isNext = parent.draftOf !== null
  if ((status === 'draft' && !isNext) || status === 'active') return
  if (isNext) throw nextAsParent()
  throw new Problem(
    'parent_not_active',
    `The parent mandate is ${status}; only draft and active mandates can get child mandates.`,
    { extra: { parentStatus: status } },
  )
}

function nextAsParent(): Problem {
  return new Problem(
    'parent_not_active',
    'The parent is a draft of a next version, which ends when it is activated. Name the active mandate as the parent.',
    { extra: { parentStatus: 'draft' } },
  )
}
