import type { Static } from 'typebox'
import { toPublicId } from '../../../core/id.ts'
import { toUnits } from '../../../core/money.ts'
import type { Instant } from '../../../core/time/instant.ts'
import { toTimestamp } from '../../../http/document/schemas.ts'
import type { Queryable } from '../../../storage/engine/database.ts'
import { type CountedFlags, countFlagged, listFlagged } from '../storage/flagged.ts'
import { sumHealth } from '../storage/health.ts'
import { listUnknownCards } from '../storage/unknown-cards.ts'
import type { CardConnection, SecretNote } from './connection.ts'
import type { ConnectionSchemas, SecretShape } from './connection-schemas.ts'
import type { FlaggedEvent, FlaggedKind } from './flagged.ts'
import { type HealthSums, NO_SUMS, p95Of, type SeenUnknownCard, warningsOf } from './health.ts'
import type { Health } from './health-schema.ts'
import type { IngestAddresses } from './ingest.ts'

const DAY_MS = 24 * 60 * 60 * 1_000
const UNKNOWN_CARDS_SHOWN = 10
const FLAGGED_SHOWN = 10

/** The health of a connection, as the API shows it. */
interface ShownHealth {
  readonly sums: HealthSums
  readonly unknownCards: readonly SeenUnknownCard[]
  readonly counted: readonly CountedFlags[]
  readonly flagged: readonly FlaggedEvent[]
}

export const NO_HEALTH: ShownHealth = { sums: NO_SUMS, unknownCards: [], counted: [], flagged: [] }

/** Reads the health of connections over the last 24 hours, to the hour. */
export async function readHealth(
  db: Queryable,
  organizationId: string,
  connections: readonly CardConnection[],
  now: Instant,
): Promise<(connection: CardConnection) => ShownHealth> {
  const ids = connections.map(({ id }) => id)
  const [sums, cards, counted, flagged] = await Promise.all([
    sumHealth(db, organizationId, ids, now - DAY_MS),
    listUnknownCards(db, organizationId, ids, UNKNOWN_CARDS_SHOWN),
    countFlagged(db, organizationId, ids, now - DAY_MS),
    listFlagged(db, organizationId, ids, FLAGGED_SHOWN),
  ])
  return ({ id }) => ({
    sums: sums.get(id) ?? NO_SUMS,
    unknownCards: cards.filter(({ connectionId }) => connectionId === id),
    counted: counted.filter(({ connectionId }) => connectionId === id),
    flagged: flagged.filter(({ connectionId }) => connectionId === id),
  })
}

export function toConnectionShape(
  connection: CardConnection,
  ingest: IngestAddresses | null,
  health: ShownHealth,
  now: Instant,
): Static<ConnectionSchemas['Connection']> {
  return {
    ...toSettingsShape(connection, now),
    ingest,
    health: toHealthShape(connection, health, now),
  }
}

/** The settings of a connection, without its URLs, because their token is shown only once. */
export function toSettingsShape(
  connection: CardConnection,
  now: Instant,
): Omit<Static<ConnectionSchemas['Connection']>, 'ingest' | 'health'> {
  const { authorizationSecret, eventsSecret, failOpenMaxAmount } = connection
  return {
    id: toPublicId('conn', connection.id),
    provider: connection.provider,
    livemode: connection.livemode,
    name: connection.name,
    status: connection.status,
    failMode: connection.failMode,
    failOpenMaxAmount: failOpenMaxAmount === null ? null : toUnits(failOpenMaxAmount),
    deadlineMs: connection.deadlineMs,
    partialApprovals: connection.partialApprovals,
    pauseOnOverCapture: connection.pauseOnOverCapture,
    secrets: {
      authorization: toSecretShape(authorizationSecret, now),
      events: toSecretShape(eventsSecret, now),
    },
    createdAt: toTimestamp(connection.createdAt),
    updatedAt: toTimestamp(connection.updatedAt),
    updatedBy: connection.updatedBy,
  }
}

function toSecretShape(
  { hint, previousUntil }: SecretNote,
  now: Instant,
): Static<typeof SecretShape> {
  if (hint === null) return null
  const isOver = previousUntil === null || previousUntil <= now
  return { hint, previousUntil: isOver ? null : toTimestamp(previousUntil) }
}

function toHealthShape(
  connection: CardConnection,
  { sums, unknownCards, counted, flagged }: ShownHealth,
  now: Instant,
): Static<typeof Health> {
  const countOf = (kind: FlaggedKind): number =>
    counted.find(({ what }) => what === kind)?.count ?? 0
  return {
    lastRequestAt: toTimestamp(connection.lastRequestAt),
    lastEventAt: toTimestamp(connection.lastEventAt),
    p95Ms: p95Of(sums.latencies),
    signatureFailures24h: sums.signatureFailures,
    timeouts24h: sums.timeouts,
    ungoverned24h: sums.ungoverned,
    unknownCards24h: sums.unknownCards,
    unknownCards: unknownCards.map((card) => ({
      externalId: card.externalId,
      last4: card.last4,
      merchantName: card.merchantName,
      amount: card.amount === null ? null : toUnits(card.amount),
      currency: card.currency,
      lastAt: toTimestamp(card.lastAt),
      count: card.count,
    })),
    otherCurrency24h: countOf('other_currency'),
    unlinkedRefunds24h: countOf('unlinked_refund'),
    unreadableEvents24h: countOf('unreadable_event'),
    flagged: flagged.map(({ what, at, told }) => ({ what, at: toTimestamp(at), ...told })),
    warnings: warningsOf(connection, now),
  }
}
