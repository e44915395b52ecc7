import { Type } from 'typebox'
import { EXAMPLE_AGENT_ID, EXAMPLE_TIME, exampleId } from '../http/document/examples.ts'
import {
  ActorName,
  ActorsOwnName,
  AgentId,
  Metadata,
  Name,
  nullable,
  Timestamp,
  timeWhen,
} from '../http/document/schemas.ts'
import { ExpectedUpdatedAt } from '../http/expected-state.ts'
import { Mandate } from './mandates/shape.ts'
import { reasonOf } from './reason.ts'

export const AgentStatus = Type.Enum(['active', 'paused'], {
  type: 'string',
  description:
    '`active`: the agent can spend. `paused`: every spend of the agent is rejected; it keeps its mandate.',
})
const Description = Type.String({
  maxLength: 1_000,
  format: 'text',
  description: 'A description of the agent for people, at most 1,000 characters.',
})
const ExternalId = Type.String({
  minLength: 1,
  maxLength: 120,
  format: 'name',
  description: "The agent's id in your own systems. Unique among your agents.",
  examples: ['crew-7/researcher'],
})
/** The source of a regular expression for one tag. */
export const TAG = '[a-z0-9][a-z0-9_.:-]{0,63}'
const Tags = Type.Array(Type.String({ pattern: `^${TAG}$` }), {
  maxItems: 32,
  uniqueItems: true,
  description: 'Your own labels for the agent, at most 32. The list of agents can filter by them.',
  examples: [['research', 'team:growth']],
})

export const Agent = Type.Object(
  {
    id: AgentId,
    name: Name,
    description: nullable(Description),
    status: AgentStatus,
    externalId: nullable(ExternalId),
    tags: Tags,
    metadata: Metadata,
    createdAt: Timestamp,
    updatedAt: Timestamp,
    updatedBy: ActorName,
    updatedByName: ActorsOwnName,
    lastSeenAt: nullable(timeWhen('When the agent last requested a decision')),
    mandate: Type.Optional(
      Type.Union([Mandate, Type.Null()], {
        description:
          'The active mandate. Only present with `include=mandate`. Null if there is none.',
      }),
    ),
  },
  {
    title: 'Agent',
    examples: [
      {
        id: EXAMPLE_AGENT_ID,
        name: 'Research agent',
        description: 'Reads papers and pays for what it looks up.',
        status: 'active',
        externalId: 'crew-7/researcher',
        tags: ['research', 'team:growth'],
        metadata: { owner: 'growth@example.com' },
        createdAt: EXAMPLE_TIME,
        updatedAt: EXAMPLE_TIME,
        updatedBy: exampleId('key'),
        lastSeenAt: EXAMPLE_TIME,
      },
    ],
  },
)

export const AgentInput = Type.Object(
  {
    name: Name,
    description: Type.Optional(nullable(Description)),
    status: Type.Optional(AgentStatus),
    externalId: Type.Optional(nullable(ExternalId)),
    tags: Type.Optional(Tags),
    metadata: Type.Optional(Metadata),
  },
  { additionalProperties: false, title: 'AgentInput', examples: [{ name: 'Research agent' }] },
)

export const AgentChange = Type.Object(
  {
    ...Type.Partial(AgentInput).properties,
    reason: reasonOf('pausing or resuming the agent. Only allowed with `status`'),
    expectedUpdatedAt: ExpectedUpdatedAt,
  },
  {
    additionalProperties: false,
    minProperties: 1,
    title: 'AgentChange',
    examples: [{ status: 'paused' }],
  },
)

export const Deleted = Type.Object(
  { id: AgentId, deleted: Type.Literal(true, { description: 'The agent is deleted.' }) },
  { title: 'DeletedAgent', examples: [{ id: EXAMPLE_AGENT_ID, deleted: true }] },
)
