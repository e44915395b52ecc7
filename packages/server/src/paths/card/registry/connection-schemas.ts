import { Type } from 'typebox'
import { EXAMPLE_TIME, exampleId } from '../../../http/document/examples.ts'
import {
  ActorName,
  Money,
  Name,
  nullable,
  publicId,
  Sum,
  Timestamp,
} from '../../../http/document/schemas.ts'
import { CONNECTION_STATUSES } from './connection.ts'
import { FLAGGED_KINDS } from './flagged.ts'

export const ConnectionId = publicId('conn', 'a connection to an issuer')
export const ProviderName = Type.Enum(['stripe', 'lithic', 'generic'], {
  type: 'string',
  description:
    '`stripe` and `lithic` call the gateway in their own protocol; `generic` is for whoever calls POST /gateway/card/authorize.',
})
export const ConnectionStatus = Type.Enum([...CONNECTION_STATUSES], {
  type: 'string',
  description:
    'Disabled: every authorization is declined. Events are still taken. Removed: nothing is taken any more, its secrets and addresses are gone, and its cards are closed. Only a disabled connection without open holds can be removed, and it stays removed.',
})
const FirstStatus = Type.Enum(['active', 'disabled'], {
  type: 'string',
  description: 'Disabled: every authorization is declined. Events are still taken.',
})
const FailMode = Type.Enum(['closed', 'open'], {
  type: 'string',
  description:
    'What is answered when nothing could be decided by the deadline: `closed` declines, `open` approves up to failOpenMaxAmount.',
})
const DeadlineMs = Type.Integer({
  minimum: 200,
  maximum: 5_000,
  description:
    'By when the issuer is answered, in milliseconds. By default 1200 for stripe, 2000 for lithic, 1500 for generic.',
})
const PartialApprovals = Type.Boolean({
  description: 'Whether less than was asked for may be approved, where the issuer supports that.',
})
const PauseOnOverCapture = Type.Boolean({
  description: 'Whether a card is paused when more is captured than was approved.',
})

/** Issuers sign with secrets of printable characters. */
const Secret = Type.String({
  minLength: 16,
  maxLength: 500,
  pattern: '^[\\x21-\\x7e]*$',
  description: 'As the issuer shows it, such as whsec_… It is never shown again.',
  examples: ['whsec_dGhlIHNlY3JldCBvZiBhbiBpc3N1ZXI='],
})
export const SecretShape = nullable(
  Type.Object(
    {
      hint: Type.String({ description: 'How it ends.' }),
      previousUntil: Type.Union([Timestamp, Type.Null()], {
        description: 'Until when the value before is accepted as well.',
      }),
    },
    { title: 'CardSecret' },
  ),
)
const SecretsInput = Type.Object(
  { authorization: Type.Optional(Secret), events: Type.Optional(Secret) },
  {
    additionalProperties: false,
    minProperties: 1,
    description:
      'What the issuer signs its requests and its events with. After a change the value before is accepted for 24 hours.',
  },
)

const Ingest = Type.Object(
  {
    authorizationUrl: Type.String({
      description:
        'For what the issuer asks before it approves. Where PURSER_PUBLIC_URL is not set, it stands below the address of the gateway.',
      examples: ['https://gateway.example.com/ingest/stripe/…/authorization'],
    }),
    eventsUrl: Type.String({ examples: ['https://gateway.example.com/ingest/stripe/…/events'] }),
  },
  {
    title: 'CardIngest',
    description:
      'Their token is shown when the connection is made and after rotateToken; otherwise … stands for it. Null for generic.',
  },
)

const UnknownCard = Type.Object(
  {
    externalId: Type.String(),
    last4: nullable(Type.String()),
    merchantName: nullable(Type.String()),
    amount: nullable(Sum),
    currency: nullable(Type.String()),
    lastAt: Timestamp,
    count: Type.Integer({ description: 'How often the issuer asked about it.' }),
  },
  { title: 'UnknownCard' },
)
const Flagged = Type.Object(
  {
    what: Type.Enum([...FLAGGED_KINDS], {
      type: 'string',
      description:
        '`other_currency`: money in another currency than that of its authorization or mandate. `unlinked_refund`: a refund that belongs to no authorization. `unreadable_event`: an event that cannot be read.',
    }),
    at: Timestamp,
    authorizationId: nullable(Type.String()),
    externalTransactionId: nullable(Type.String()),
    cardId: nullable(Type.String()),
    agentId: nullable(Type.String()),
    amount: nullable(Sum),
    currency: nullable(Type.String()),
    message: Type.String(),
  },
  { title: 'FlaggedCardEvent' },
)
const Flags24h = (what: string) =>
  Type.Integer({ description: `How many events of 24 hours are flagged: ${what}. Up to 100.` })

export const Health = Type.Object(
  {
    lastRequestAt: nullable(Timestamp),
    lastEventAt: nullable(Timestamp),
    p95Ms: Type.Union([Type.Integer(), Type.Null()], {
      description: 'What 95 of 100 answers of 24 hours stayed within, rounded up to a step.',
    }),
    signatureFailures24h: Type.Integer(),
    timeouts24h: Type.Integer({
      description:
        'How often the deadline decided, or the issuer without us, because nothing reached it in time.',
    }),
    ungoverned24h: Type.Integer({ description: 'How often money moved that nobody asked about.' }),
    unknownCards24h: Type.Integer({
      description: 'How often a card was asked about that is not registered.',
    }),
    unknownCards: Type.Array(UnknownCard, { description: 'Up to ten that were seen last.' }),
    otherCurrency24h: Flags24h('money in another currency'),
    unlinkedRefunds24h: Flags24h('refunds that belong to no authorization'),
    unreadableEvents24h: Flags24h('events that cannot be read'),
    flagged: Type.Array(Flagged, {
      description: 'Up to ten events of the issuer that a person should look at, newest first.',
    }),
    warnings: Type.Array(Type.Enum(['events_silent'], { type: 'string' }), {
      description:
        '`events_silent`: authorizations were approved, and nothing has come to eventsUrl since.',
    }),
  },
  {
    title: 'CardConnectionHealth',
    description: 'Some seconds old. A process that dies loses what it has counted in the last one.',
  },
)

const settings = {
  name: Name,
  status: ConnectionStatus,
  failMode: FailMode,
  deadlineMs: DeadlineMs,
  partialApprovals: PartialApprovals,
  pauseOnOverCapture: PauseOnOverCapture,
}

const ingestAt = (door: string) =>
  `https://gateway.example.com/ingest/stripe/TQPn5__48uTz-Qdcly-hh3UwDs2D5IGA70D-bR0U4Yc/${door}`

const CONNECTION_EXAMPLE = {
  id: exampleId('conn'),
  provider: 'stripe',
  livemode: false,
  name: 'Stripe Issuing',
  status: 'active',
  failMode: 'closed',
  failOpenMaxAmount: null,
  deadlineMs: 1_200,
  partialApprovals: false,
  pauseOnOverCapture: false,
  secrets: { authorization: null, events: null },
  createdAt: EXAMPLE_TIME,
  updatedAt: EXAMPLE_TIME,
  updatedBy: exampleId('key'),
  ingest: { authorizationUrl: ingestAt('authorization'), eventsUrl: ingestAt('events') },
  health: {
    lastRequestAt: EXAMPLE_TIME,
    lastEventAt: EXAMPLE_TIME,
    p95Ms: 41,
    signatureFailures24h: 0,
    timeouts24h: 0,
    ungoverned24h: 0,
    unknownCards24h: 0,
    unknownCards: [],
    otherCurrency24h: 0,
    unlinkedRefunds24h: 0,
    unreadableEvents24h: 0,
    flagged: [],
    warnings: [],
  },
}

export const Connection = Type.Object(
  {
    id: ConnectionId,
    provider: ProviderName,
    livemode: Type.Boolean(),
    ...settings,
    failOpenMaxAmount: nullable(Sum),
    secrets: Type.Object({ authorization: SecretShape, events: SecretShape }),
    ingest: nullable(Ingest),
    health: Health,
    createdAt: Timestamp,
    updatedAt: Timestamp,
    updatedBy: ActorName,
  },
  { title: 'CardConnection', examples: [CONNECTION_EXAMPLE] },
)

const changeable = {
  failMode: Type.Optional(FailMode),
  failOpenMaxAmount: Type.Optional(
    Type.Union([Money, Type.Null()], {
      description: 'Needed where failMode is open. In units of the currency of the card.',
    }),
  ),
  deadlineMs: Type.Optional(DeadlineMs),
  partialApprovals: Type.Optional(PartialApprovals),
  pauseOnOverCapture: Type.Optional(PauseOnOverCapture),
  secrets: Type.Optional(SecretsInput),
}

export const ConnectionInput = Type.Object(
  {
    provider: ProviderName,
    name: Name,
    livemode: Type.Optional(
      Type.Boolean({
        description: 'Must fit the installation, which is also the default: true in production.',
      }),
    ),
    status: Type.Optional(FirstStatus),
    ...changeable,
  },
  {
    additionalProperties: false,
    title: 'CardConnectionInput',
    examples: [{ provider: 'stripe', name: 'Stripe Issuing' }],
  },
)

export const ConnectionChange = Type.Object(
  {
    name: Type.Optional(Name),
    status: Type.Optional(ConnectionStatus),
    ...changeable,
    rotateToken: Type.Optional(
      Type.Literal(true, {
        description: 'Makes another ingest token; the one before is accepted for 24 hours.',
      }),
    ),
  },
  {
    additionalProperties: false,
    minProperties: 1,
    title: 'CardConnectionChange',
    examples: [{ status: 'disabled' }],
  },
)
