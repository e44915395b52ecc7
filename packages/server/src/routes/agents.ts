import { type Static, Type } from 'typebox'
import { Problem } from '../base/errors.ts'
import { actorText } from '../core/actor.ts'
import { agentNotFound, type Agent as CoreAgent } from '../core/agent.ts'
import { actsFor } from '../core/api-key.ts'
import { laterThan } from '../core/changed-meanwhile.ts'
import type { Mandate as CoreMandate } from '../core/mandates/mandate.ts'
import { PLANS } from '../core/plan.ts'
import type { Gateway } from '../gateway/gateway.ts'
import { pageWithNames, withActorName } from '../http/actor-names.ts'
import type { App } from '../http/app.ts'
import { RESUMING } from '../http/auth/reauthentication.ts'
import {
  AgentId,
  PagingFields,
  pageSchema,
  toPage,
  toPageRequest,
  toTimestamp,
} from '../http/document/schemas.ts'
import { readExpectedStates, toETag } from '../http/expected-state.ts'
import type { Write } from '../http/idempotency.ts'
import { recordedTransaction } from '../http/record-change.ts'
import { alwaysStops, stopsWhere } from '../http/stops.ts'
import { several, valuesOf } from '../http/validation/several.ts'
import { deleteAgent } from '../storage/agent-deletion.ts'
import {
  countAgents,
  findAgent,
  insertAgent,
  listAgents,
  lockAgent,
  updateAgent,
} from '../storage/agents.ts'
import type { DatabaseClock } from '../storage/engine/clock.ts'
import type { Database } from '../storage/engine/database.ts'
import { listActiveMandates } from '../storage/mandates.ts'
import { newId } from '../storage/new-id.ts'
import { lockOrganization } from '../storage/organizations.ts'
import { rankAgents } from '../storage/percent-used.ts'
import { noteStop } from '../storage/stops.ts'
import { Agent, AgentChange, AgentInput, AgentStatus, Deleted, TAG } from './agent-shape.ts'
import { SearchText, SortByUse } from './list-parameters.ts'
import { toMandateShape } from './mandates/shape.ts'
import { requireReasoned } from './reason.ts'
import { requireExpected } from './require-expected.ts'

const AgentPath = Type.Object({ id: AgentId })
const Include = Type.Optional(
  Type.Enum(['mandate'], {
    type: 'string',
    description:
      "Also return each agent's active mandate as `mandate`. Null if the agent has none.",
  }),
)

interface AgentParts {
  readonly db: Database
  readonly gateway: Gateway
  readonly write: Write
  readonly now: () => number
  readonly clock: DatabaseClock
}

export function agentRoutes(app: App, { db, gateway, write, now, clock }: AgentParts): void {
  app.route({
    method: 'POST',
    url: '/agents',
    schema: {
      operationId: 'createAgent',
      summary: 'Register an agent',
      tags: ['Agents'],
      body: AgentInput,
      response: { 200: Agent },
    },
    config: { scope: 'agents:write', problems: ['external_id_taken', 'plan_limit_exceeded'] },
    handler: (request, reply) =>
      write(request, reply, async (tx, record) => {
        const { organizationId, principal, body } = request
        const { plan } = await lockOrganization(tx, organizationId)
        const limit = PLANS[plan].agents
        const used = await countAgents(tx, organizationId)
        if (limit !== null && used >= limit) {
          throw new Problem(
            'plan_limit_exceeded',
            `The plan ${plan} allows ${limit} agents. Delete an agent, or change to a larger plan.`,
            { extra: { plan, limit, used } },
          )
        }
        const at = now()
        const agent: CoreAgent = {
          id: newId(at),
          name: body.name,
          description: body.description ?? null,
          status: body.status ?? 'active',
          externalId: body.externalId ?? null,
          tags: body.tags ?? [],
          metadata: body.metadata ?? {},
          createdAt: at,
          updatedAt: at,
          updatedBy: actorText(principal),
          lastSeenAt: null,
        }
        await insertAgent(tx, organizationId, agent)
        const shape = toAgentShape(agent)
        record({ operation: 'agent.created', subjectId: agent.id, at, before: null, after: shape })
        return shape
      }),
  })

  app.route({
    method: 'GET',
    url: '/agents',
    schema: {
      operationId: 'listAgents',
      summary: 'List agents, newest first',
      tags: ['Agents'],
      querystring: Type.Object(
        {
          ...PagingFields,
          include: Include,
          status: Type.Optional({ ...AgentStatus, description: 'Only agents with this status.' }),
          // Also finds an id that was stored before its characters were checked.
          externalId: Type.Optional(
            Type.String({
              minLength: 1,
              maxLength: 120,
              description: 'Only the agent with this `externalId`.',
              examples: ['crew-7/researcher'],
            }),
          ),
          tag: Type.Optional(
            several(Type.String({ maxLength: 64, examples: ['research'] }), TAG, {
              description: 'Only agents with this tag, or with one of these tags.',
              example: 'research,team:growth',
            }),
          ),
          q: Type.Optional({
            ...SearchText,
            description:
              'Only agents whose name or `externalId` contains this text, in upper or lower case.',
          }),
          sort: SortByUse,
        },
        { additionalProperties: false },
      ),
      response: { 200: pageSchema(Agent) },
    },
    config: { scope: 'agents:read', boundScope: 'gateway:read', agentKeys: 'allowed' },
    handler: async (request) => {
      const { organizationId, principal, query } = request
      const { status, externalId, q, sort } = query
      const { agentIds } = principal
      const filter = { status, externalId, tags: valuesOf(query.tag), q, agentIds }
      const rank = sort && (await rankAgents(db, organizationId, now()))
      const page = await listAgents(db, organizationId, filter, toPageRequest(query), rank)
      const hasMandates = query.include !== undefined
      const mandates = hasMandates ? await activeMandates(organizationId, page.rows) : undefined
      const shown = toPage(page, (agent) =>
        mandates ? withMandate(agent, mandates.get(agent.id)) : toAgentShape(agent),
      )
      return pageWithNames(db, request, 'updatedBy', shown)
    },
  })

  app.route({
    method: 'GET',
    url: '/agents/:id',
    schema: {
      operationId: 'getAgent',
      summary: 'Get one agent',
      tags: ['Agents'],
      params: AgentPath,
      querystring: Type.Object({ include: Include }, { additionalProperties: false }),
      response: { 200: Agent },
    },
    config: {
      scope: 'agents:read',
      boundScope: 'gateway:read',
      agentKeys: 'allowed',
      problems: ['agent_not_found'],
    },
    handler: async (request, reply) => {
      const { organizationId, principal, params, query } = request
      const agent = actsFor(principal, params.id)
        ? await findAgent(db, organizationId, params.id)
        : undefined
      if (!agent) throw agentNotFound(params.id)
      reply.header('etag', toETag(agent.updatedAt, 'updatedAt'))
      const shape = await withActorName(db, request, 'updatedBy', toAgentShape(agent))
      if (query.include === undefined) return shape
      const mandates = await activeMandates(organizationId, [agent])
      return { ...shape, ...withMandate(agent, mandates.get(agent.id)) }
    },
  })

  app.route({
    method: 'PATCH',
    url: '/agents/:id',
    schema: {
      operationId: 'updateAgent',
      summary: 'Update an agent',
      description: "Setting `status` to `paused` stops the agent's spending at once.",
      tags: ['Agents'],
      params: AgentPath,
      body: AgentChange,
      response: { 200: Agent },
    },
    config: {
      scope: 'agents:write',
      sensitive: [RESUMING],
      stops: stopsWhere('status', ['paused']),
      ifMatch: 'updatedAt',
      problems: ['agent_not_found', 'external_id_taken', 'changed_meanwhile'],
    },
    handler: (request, reply) =>
      write(request, reply, async (tx, record) => {
        const { organizationId, principal, params, body } = request
        const { expectedUpdatedAt: _, reason, ...change } = body
        requireReasoned(reason, 'status', body.status)
        const agent = await lockAgent(tx, organizationId, params.id)
        if (!agent) throw agentNotFound(params.id)
        const expected = readExpectedStates(request, body)
        await requireExpected(tx, organizationId, expected, { ...agent, what: 'agent' })
        const at = laterThan(agent.updatedAt, now())
        const updatedBy = actorText(principal)
        const changed: CoreAgent = { ...agent, ...change, updatedAt: at, updatedBy }
        await updateAgent(tx, organizationId, changed)
        if (changed.status === 'paused' && agent.status !== 'paused') noteStop(tx, organizationId)
        const [before, after] = [toAgentShape(agent), toAgentShape(changed)]
        const isReasoned = reason !== undefined && changed.status !== agent.status
        const told = isReasoned ? { ...after, reason } : after
        record({ operation: 'agent.updated', subjectId: agent.id, at, before, after: told })
        return after
      }),
  })

  app.route({
    method: 'DELETE',
    url: '/agents/:id',
    schema: {
      operationId: 'deleteAgent',
      summary: 'Delete an agent, its mandate, keys and cards',
      description:
        "Revokes the agent's mandate and the keys that are bound only to this agent, and closes its cards.",
      tags: ['Agents'],
      params: AgentPath,
      response: { 200: Deleted },
    },
    config: { scope: 'agents:write', stops: alwaysStops, problems: ['agent_not_found'] },
    handler: (request) =>
      recordedTransaction(db, request, async (tx, record) => {
        const { organizationId, principal, params } = request
        const by = actorText(principal)
        const deleted = await deleteAgent(tx, organizationId, params.id, by, clock)
        if (!deleted) throw agentNotFound(params.id)
        const before = toAgentShape(deleted.agent)
        const { id } = params
        record({ operation: 'agent.deleted', subjectId: id, at: deleted.at, before, after: null })
        return { id, deleted: true as const }
      }),
  })

  async function activeMandates(
    organizationId: string,
    agents: readonly CoreAgent[],
  ): Promise<Map<string, CoreMandate>> {
    await gateway.releaseOverdue(organizationId)
    const ids = agents.map((agent) => agent.id)
    const mandates = await listActiveMandates(db, organizationId, ids, now())
    return new Map(mandates.map((mandate) => [mandate.agentId, mandate]))
  }

  function withMandate(agent: CoreAgent, mandate: CoreMandate | undefined) {
    return { ...toAgentShape(agent), mandate: mandate ? toMandateShape(mandate, now()) : null }
  }
}

function toAgentShape(agent: CoreAgent): Static<typeof Agent> {
  return {
    ...agent,
    tags: [...agent.tags],
    createdAt: toTimestamp(agent.createdAt),
    updatedAt: toTimestamp(agent.updatedAt),
    lastSeenAt: toTimestamp(agent.lastSeenAt),
  }
}
