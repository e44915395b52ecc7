import { Type } from 'typebox'
import { EXAMPLE_TIME, exampleId } from '../../../http/document/examples.ts'
import {
  ActorName,
  ActorsOwnName,
  Money,
  Name,
  nullable,
  publicId,
  sumOf,
  Timestamp,
} from '../../../http/document/schemas.ts'
import { GENERIC, GENERIC_DEADLINE_MS } from '../issuers/index.ts'
import type { Issuer } from '../issuers/issuer.ts'
import { CONNECTION_STATUSES } from './connection.ts'
import { Health } from './health-schema.ts'

export const ConnectionId = publicId('conn', 'the connection to the card issuer')
export const ConnectionStatus = Type.Enum([...CONNECTION_STATUSES], {
  type: 'string',
  description:
    '`active`: the gateway decides on authorizations. `disabled`: every authorization is declined, but events are still processed. `removed`: nothing is accepted any more, the secrets and ingest URLs are deleted, and the cards are closed. Only a disabled connection without open holds can be removed, and removal is final.',
})
const FirstStatus = Type.Enum(['active', 'disabled'], {
  type: 'string',
  description:
    '`active` (default): the gateway decides on authorizations. `disabled`: every authorization is declined, but events are still processed.',
})
const FailMode = Type.Enum(['closed', 'open'], {
  type: 'string',
  description:
    'The response if the gateway cannot decide before the deadline: `closed` declines, `open` approves up to `failOpenMaxAmount`. Default: `closed`.',
})
const DeadlineMs = Type.Integer({
  minimum: 200,
  maximum: 5_000,
  description:
    'The deadline for responses to the issuer, in milliseconds. A new connection has the default of its provider.',
})
const PartialApprovals = Type.Boolean({
  description:
    'Whether the gateway may approve less than the requested amount, if the issuer supports partial approvals. Default: false.',
})
const PauseOnOverCapture = Type.Boolean({
  description:
    'Whether the gateway pauses a card when more is captured than was approved. Default: false.',
})

/** Issuers sign with secrets of printable characters. */
const Secret = Type.String({
  minLength: 16,
  maxLength: 500,
  pattern: '^[\\x21-\\x7e]*$',
  description: 'The signing secret as the issuer shows it, such as `whsec_…`. Never shown again.',
  examples: ['whsec_dGhlIHNlY3JldCBvZiBhbiBpc3N1ZXI='],
})
export const SecretShape = nullable(
  Type.Object(
    {
      hint: Type.String({ description: 'The last characters of the secret.' }),
      previousUntil: Type.Union([Timestamp, Type.Null()], {
        description:
          'Until when the previous secret is also accepted (ISO 8601, UTC). Null if there is none.',
      }),
    },
    { title: 'CardSecret', description: 'A stored secret. Null if it is not set.' },
  ),
)
const SecretsInput = Type.Object(
  { authorization: Type.Optional(Secret), events: Type.Optional(Secret) },
  {
    additionalProperties: false,
    minProperties: 1,
    description:
      'The secrets with which the issuer signs its authorization requests and its events. After a change, the previous secret stays valid for 24 hours.',
  },
)

const Ingest = Type.Object(
  {
    authorizationUrl: Type.String({
      description:
        "The URL for the issuer's authorization requests. If PURSER_PUBLIC_URL is not set, this is only a path: put the gateway's address in front of it.",
      examples: ['https://gateway.example.com/ingest/stripe/…/authorization'],
    }),
    eventsUrl: Type.String({
      description: "The URL for the issuer's events.",
      examples: ['https://gateway.example.com/ingest/stripe/…/events'],
    }),
  },
  {
    title: 'CardIngest',
    description:
      'The URLs to register with the issuer. Their token is shown only when the connection is created and after `rotateToken`; otherwise it is replaced by `…`. Null for `generic`.',
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

const changeable = {
  failMode: Type.Optional(FailMode),
  failOpenMaxAmount: Type.Optional(
    Type.Union([Money, Type.Null()], {
      description:
        "The highest amount to approve if `failMode` is `open`; required then. In units of the card's currency.",
    }),
  ),
  deadlineMs: Type.Optional(DeadlineMs),
  partialApprovals: Type.Optional(PartialApprovals),
  pauseOnOverCapture: Type.Optional(PauseOnOverCapture),
  secrets: Type.Optional(SecretsInput),
}

export const ConnectionChange = Type.Object(
  {
    name: Type.Optional(Name),
    status: Type.Optional(ConnectionStatus),
    ...changeable,
    rotateToken: Type.Optional(
      Type.Literal(true, {
        description: 'Creates a new ingest token. The previous one stays valid for 24 hours.',
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

/** The shapes that depend on which issuers there are. */
export function connectionSchemas(issuers: readonly Issuer[]) {
  const ProviderName = providerName(issuers)
  const Connection = Type.Object(
    {
      id: ConnectionId,
      provider: ProviderName,
      livemode: Type.Boolean({ description: 'Whether the connection handles real money.' }),
      ...settings,
      failOpenMaxAmount: nullable(sumOf('The highest amount to approve if `failMode` is `open`')),
      secrets: Type.Object(
        { authorization: SecretShape, events: SecretShape },
        { description: 'The stored signing secrets, by their last characters.' },
      ),
      ingest: nullable(Ingest),
      health: Health,
      createdAt: Timestamp,
      updatedAt: Timestamp,
      updatedBy: ActorName,
      updatedByName: ActorsOwnName,
    },
    { title: 'CardConnection', examples: [CONNECTION_EXAMPLE] },
  )

  const ConnectionInput = Type.Object(
    {
      provider: ProviderName,
      name: Name,
      livemode: Type.Optional(
        Type.Boolean({
          description:
            'Whether the connection handles real money. Must match the installation, which is also the default: true in production.',
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

  return { Connection, ConnectionInput, ProviderName }
}

export type ConnectionSchemas = ReturnType<typeof connectionSchemas>

function providerName(issuers: readonly Issuer[]) {
  const defaults = issuers.map(
    ({ provider, title, deadlineMs }) =>
      `\`${provider}\`: ${title} calls the gateway in its own protocol. By default the gateway responds within ${deadlineMs} ms.`,
  )
  return Type.Enum([...issuers.map(({ provider }) => provider), GENERIC], {
    type: 'string',
    title: 'CardProvider',
    description: [
      ...defaults,
      `\`${GENERIC}\`: for callers of POST /gateway/card/authorize, which get a response within ${GENERIC_DEADLINE_MS} ms by default.`,
    ].join(' '),
  })
}
