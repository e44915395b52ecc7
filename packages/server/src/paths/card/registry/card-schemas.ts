import { Type } from 'typebox'
import { EXAMPLE_AGENT_ID, EXAMPLE_TIME, exampleId } from '../../../http/document/examples.ts'
import {
  ActorName,
  ActorsOwnName,
  AgentId,
  Metadata,
  Name,
  nullable,
  publicId,
  Timestamp,
} from '../../../http/document/schemas.ts'
import { CARD_STATUSES } from './card.ts'
import { ConnectionId } from './connection-schemas.ts'

export const CardId = publicId('card', 'the card')
export const ExternalId = Type.String({
  pattern: '^[\\x21-\\x7e]{1,255}$',
  description:
    "The issuer's id for the card. Unique among the connection's cards that are not closed. Never the card number.",
  examples: ['ic_1MvSieLkdIwHu7ix'],
})
const Last4 = Type.String({
  pattern: '^[0-9]{4}$',
  description: 'The last four digits of the card number.',
  examples: ['4242'],
})
const Currency = Type.String({
  format: 'currency',
  description: "The card's currency, as an ISO 4217 code.",
  examples: ['USD'],
})
export const Status = Type.Enum([...CARD_STATUSES], {
  type: 'string',
  description:
    "The card's status in this gateway. Authorizations on a paused or closed card are declined. A closed card cannot be reopened.",
})
const StatusReason = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'Why the card is paused or closed, as a note for people.',
})

export const Card = Type.Object(
  {
    id: CardId,
    connectionId: ConnectionId,
    externalId: ExternalId,
    agentId: AgentId,
    last4: nullable(Last4),
    currency: nullable(Currency),
    label: nullable(Name),
    status: Status,
    providerStatus: Type.Union([Type.Enum([...CARD_STATUSES], { type: 'string' }), Type.Null()], {
      description:
        "The card's status at the issuer. Null until the issuer reports it. The stricter of `status` and `providerStatus` applies.",
    }),
    statusReason: nullable(StatusReason),
    metadata: Metadata,
    createdAt: Timestamp,
    updatedAt: Timestamp,
    updatedBy: ActorName,
    updatedByName: ActorsOwnName,
  },
  {
    title: 'Card',
    examples: [
      {
        id: exampleId('card'),
        connectionId: exampleId('conn'),
        externalId: 'ic_1MvSieLkdIwHu7ix',
        agentId: EXAMPLE_AGENT_ID,
        last4: '4242',
        currency: 'USD',
        label: 'Research',
        status: 'active',
        statusReason: null,
        providerStatus: 'active',
        metadata: {},
        createdAt: EXAMPLE_TIME,
        updatedAt: EXAMPLE_TIME,
        updatedBy: exampleId('key'),
      },
    ],
  },
)

export const CardInput = Type.Object(
  {
    connectionId: ConnectionId,
    externalId: ExternalId,
    agentId: AgentId,
    last4: Type.Optional(nullable(Last4)),
    currency: Type.Optional(nullable(Currency)),
    label: Type.Optional(nullable(Name)),
    metadata: Type.Optional(Metadata),
  },
  {
    additionalProperties: false,
    title: 'CardInput',
    examples: [
      {
        connectionId: 'conn_019a85617c5e7d409b5e6f1f0a3c2b11',
        externalId: 'ic_1MvSieLkdIwHu7ix',
        agentId: '019a8561-7c5e-7d40-9b5e-6f1f0a3c2b11',
      },
    ],
  },
)

export const CardChange = Type.Object(
  {
    agentId: Type.Optional({
      ...AgentId,
      description:
        'The id of the agent that uses the card from now on. Purchases that have begun stay with the previous agent.',
    }),
    status: Type.Optional(Status),
    statusReason: Type.Optional(nullable(StatusReason)),
    label: Type.Optional(nullable(Name)),
    metadata: Type.Optional(Metadata),
  },
  {
    additionalProperties: false,
    minProperties: 1,
    title: 'CardChange',
    examples: [{ status: 'paused' }],
  },
)
