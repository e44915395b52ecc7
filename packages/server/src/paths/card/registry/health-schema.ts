import { Type } from 'typebox'
import { nullable, SpendCurrency, Sum, sumOf, timeWhen } from '../../../http/document/schemas.ts'
import { FLAGGED_KINDS } from './flagged.ts'

const UnknownCard = Type.Object(
  {
    externalId: Type.String({ description: "The issuer's id for the card." }),
    last4: nullable(Type.String({ description: 'The last four digits of the card number.' })),
    merchantName: nullable(Type.String({ description: 'The merchant of the last request.' })),
    amount: nullable(sumOf('The amount of the last request')),
    currency: SpendCurrency,
    lastAt: timeWhen('When the card was last seen'),
    count: Type.Integer({
      description: 'How many authorization requests the issuer has sent for this card.',
    }),
  },
  { title: 'UnknownCard' },
)
const Flagged = Type.Object(
  {
    what: Type.Enum([...FLAGGED_KINDS], {
      type: 'string',
      description:
        '`other_currency`: the money has a different currency than its authorization or mandate. `unlinked_refund`: the refund belongs to no authorization. `unreadable_event`: the gateway cannot read the event.',
    }),
    at: timeWhen('When it happened'),
    authorizationId: nullable(Type.String({ description: "The issuer's id for the purchase." })),
    externalTransactionId: nullable(
      Type.String({ description: "The issuer's id for the capture or refund." }),
    ),
    cardId: nullable(Type.String({ description: 'The id of the card, if it is registered.' })),
    agentId: nullable(Type.String({ description: 'The id of the agent that uses the card.' })),
    amount: nullable(Sum),
    currency: SpendCurrency,
    message: Type.String({ description: 'The event in one sentence.' }),
  },
  { title: 'FlaggedCardEvent' },
)
const Flags24h = (what: string) =>
  Type.Integer({ description: `Events flagged in the last 24 hours: ${what}. Counted up to 100.` })

export const Health = Type.Object(
  {
    lastRequestAt: nullable(timeWhen('When the last authorization request arrived')),
    lastEventAt: nullable(timeWhen('When the last event arrived')),
    p95Ms: Type.Union([Type.Integer(), Type.Null()], {
      description:
        'The 95th percentile of response times in the last 24 hours, in milliseconds, rounded up to the next bucket. Null without requests.',
    }),
    signatureFailures24h: Type.Integer({
      description: 'How many requests in the last 24 hours had an invalid signature.',
    }),
    timeouts24h: Type.Integer({
      description:
        'How often in the last 24 hours the deadline passed before a decision, or the issuer decided on its own because no response reached it in time.',
    }),
    ungoverned24h: Type.Integer({
      description: 'How often in the last 24 hours money moved without an authorization request.',
    }),
    unknownCards24h: Type.Integer({
      description:
        'How many authorization requests in the last 24 hours were for cards that are not registered.',
    }),
    unknownCards: Type.Array(UnknownCard, {
      description: 'The unregistered cards seen most recently; at most ten.',
    }),
    otherCurrency24h: Flags24h('money in a different currency'),
    unlinkedRefunds24h: Flags24h('refunds that belong to no authorization'),
    unreadableEvents24h: Flags24h('events that the gateway cannot read'),
    flagged: Type.Array(Flagged, {
      description: 'Issuer events that a person should check, newest first; at most ten.',
    }),
    warnings: Type.Array(Type.Enum(['events_silent'], { type: 'string' }), {
      description:
        '`events_silent`: authorizations were approved, but no event has arrived at `eventsUrl` since.',
    }),
  },
  {
    title: 'CardConnectionHealth',
    description:
      'Health of the connection. The figures are a few seconds old. If a gateway process crashes, its counts of the last second are lost.',
  },
)
