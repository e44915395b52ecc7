import type { Static } from 'typebox'
import { type FieldError, invalidFields } from '../../../base/errors.ts'
import { type Micros, toMicros } from '../../../core/money.ts'
import type { Instant } from '../../../core/time/instant.ts'
import type { SnapshotFact } from '../ledger/facts.ts'
import { notAllowed, required, timeOf, toMerchant, whyNoAmount } from './generic.ts'
import type { EventBody } from './generic-schemas.ts'
import type { CardEvent } from './issuer.ts'

type Told = Static<typeof EventBody>
type Field = keyof Told & string

interface Kind {
  readonly needs: readonly Field[]
  readonly may?: readonly Field[]
  /** Further fields that this event needs, depending on its content. */
  alsoNeeds?(told: Told): readonly Field[]
  /** A field that would do instead. */
  readonly alternative?: Field
  toFacts(told: Told, at: Instant): CardEvent['facts']
}

const MONEY = ['amount', 'currency'] as const
const ALWAYS: readonly Field[] = [
  'connectionId',
  'eventId',
  'type',
  'occurredAt',
  'card',
  'merchant',
]

/**
 * The facts of each event type. Differences become releases; statements about the whole become a
 * snapshot.
 */
const KINDS: Readonly<Record<Told['type'], Kind>> = {
  capture: {
    needs: MONEY,
    may: ['authorizationId', 'externalTransactionId', 'final'],
    alsoNeeds: whose,
    alternative: 'authorizationId',
    toFacts: (told, at) => {
      const id = told.externalTransactionId ?? told.eventId
      const closed = snapshot(told, at, { status: 'closed', captures: [id] })
      const capture = { kind: 'capture', id, at, amount: amountOf(told) } as const
      return told.final ? [capture, closed] : [capture]
    },
  },
  adjust: {
    needs: ['authorizationId', ...MONEY],
    may: ['requestId'],
    toFacts: (told, at) => [snapshot(told, at, { amount: amountOf(told) })],
  },
  reverse: {
    needs: ['authorizationId'],
    may: MONEY,
    toFacts: (told, at) =>
      told.amount === undefined
        ? [snapshot(told, at, { status: 'reversed', amount: 0n })]
        : [{ kind: 'release', id: told.eventId, at, amount: amountOf(told) }],
  },
  expire: {
    needs: ['authorizationId'],
    toFacts: (told, at) => [snapshot(told, at, { status: 'expired' })],
  },
  close: {
    needs: ['authorizationId'],
    toFacts: (told, at) => [snapshot(told, at, { status: 'closed' })],
  },
  refund: {
    needs: MONEY,
    may: ['authorizationId', 'externalTransactionId'],
    alsoNeeds: whose,
    alternative: 'authorizationId',
    toFacts: (told, at) => [
      {
        kind: 'refund',
        id: told.externalTransactionId ?? told.eventId,
        at,
        cause: 'merchant',
        amount: amountOf(told),
      },
    ],
  },
  // It may name the refund that it reverses, so that name cannot be its own id.
  refund_reversal: {
    needs: MONEY,
    may: ['authorizationId', 'externalTransactionId'],
    alsoNeeds: whose,
    alternative: 'authorizationId',
    toFacts: (told, at) => [
      { kind: 'refund', id: told.eventId, at, cause: 'merchant', amount: -amountOf(told) },
    ],
  },
  dispute_reinstated: disputeKind(1n),
  dispute_rescinded: disputeKind(-1n),
  provider_decision: {
    needs: ['authorizationId', 'approved'],
    may: [...MONEY, 'cause', 'requestId'],
    alsoNeeds: ({ approved }) => (approved ? MONEY : []),
    toFacts: (told, at) => [
      told.approved === true
        ? snapshot(told, at, { amount: amountOf(told) })
        : snapshot(told, at, { status: 'closed', isApproved: false }),
    ],
  },
  card_status: { needs: ['card', 'status'], toFacts: () => [] },
}

/** Money may belong to no authorization; then the event must name the card. */
function whose({ authorizationId }: Told): readonly Field[] {
  return authorizationId === undefined ? ['card'] : []
}

/** Disputed money comes back, or is taken again; the same capture may go back and forth. */
function disputeKind(sign: 1n | -1n): Kind {
  return {
    needs: MONEY,
    may: ['authorizationId', 'externalTransactionId'],
    alsoNeeds: ({ externalTransactionId }) => (externalTransactionId ? [] : ['authorizationId']),
    alternative: 'externalTransactionId',
    toFacts: (told, at) => [
      { kind: 'refund', id: told.eventId, at, cause: 'dispute', amount: sign * amountOf(told) },
    ],
  }
}

/**
 * Converts an event of an adapted issuer. Throws a problem for mistakes that the schema cannot express.
 */
export function toCardEvent(told: Told, receivedAt: Instant): CardEvent {
  const kind = KINDS[told.type]
  const mistakes = mistakesIn(told, kind)
  if (mistakes.length > 0) throw invalidFields(mistakes)
  const at = timeOf(told.occurredAt, receivedAt)
  const isDispute = told.type.startsWith('dispute_')
  return {
    kind: 'event',
    eventId: told.eventId,
    isLive: null,
    at,
    ...(at === Date.parse(told.occurredAt) ? {} : { isSetBack: true }),
    authorizationId: told.authorizationId ?? null,
    ofTransaction: isDispute ? (told.externalTransactionId ?? null) : null,
    card: told.card
      ? { externalId: told.card.externalId, last4: null, state: told.status ?? null }
      : null,
    currency: told.currency ?? null,
    merchant: told.merchant ? toMerchant(told.merchant) : null,
    facts: kind.toFacts(told, at),
    cardStatus: told.status ?? null,
    decidedWithoutUs: told.cause ?? null,
  }
}

function mistakesIn(told: Told, kind: Kind): FieldError[] {
  const { type } = told
  const given = Object.keys(told) as Field[]
  const known = [...ALWAYS, ...kind.needs, ...(kind.may ?? [])]
  const isMissing = (name: Field) => told[name] === undefined
  const needed = new Set(kind.needs)
  // An amount without its currency is meaningless.
  if (told.amount !== undefined) needed.add('currency')
  const also = (kind.alsoNeeds?.(told) ?? []).filter((name) => !needed.has(name))
  return [
    ...[...needed].filter(isMissing).map((name) => required(name, type)),
    ...also.filter(isMissing).map((name) => required(name, type, kind.alternative)),
    ...given.filter((name) => !known.includes(name)).map((name) => notAllowed(name, type)),
    ...whyNoAmount('amount', told.amount, type === 'adjust'),
  ]
}

function snapshot(told: Told, at: Instant, said: Partial<SnapshotFact>): SnapshotFact {
  return {
    kind: 'snapshot',
    id: told.eventId,
    at,
    isApproved: true,
    status: 'pending',
    amount: null,
    covers: null,
    captures: [],
    ...(told.requestId === undefined ? {} : { ofRequest: told.requestId }),
    ...said,
  }
}

/** The caller has checked that there is an amount if one is needed. */
function amountOf({ amount = 0 }: Told): Micros {
  return toMicros(amount)
}
