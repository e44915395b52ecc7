import { type Instant, toIso } from '../../../core/time/instant.ts'
import type { Queryable, Tx } from '../../../storage/engine/database.ts'
import type { SeenUnknownCard } from '../registry/health.ts'

/** The number of unknown cards that are kept for each connection: those seen last. */
export const UNKNOWN_CARDS_MAX = 100

/** Updates unknown cards, and removes those that were not seen for the longest time. */
export async function storeUnknownCards(
  db: Queryable,
  organizationId: string,
  connectionId: string,
  cards: readonly SeenUnknownCard[],
): Promise<void> {
  const ordered = cards.toSorted((a, b) => (a.externalId < b.externalId ? -1 : 1))
  await db.query({
    name: 'store-unknown-cards',
    text: `
      insert into unknown_cards (organization_id, connection_id, external_id, last4, merchant_name,
                                 amount, currency, seen_count, last_at)
      select $1, $2, external_id, last4, merchant_name, amount, currency, seen_count, last_at
      from unnest($3::text[], $4::text[], $5::text[], $6::bigint[], $7::text[], $8::bigint[],
                  $9::timestamptz[])
        as seen (external_id, last4, merchant_name, amount, currency, seen_count, last_at)
      on conflict (organization_id, connection_id, external_id) do update
      set last4 = excluded.last4, merchant_name = excluded.merchant_name, amount = excluded.amount,
          currency = excluded.currency, last_at = excluded.last_at,
          seen_count = unknown_cards.seen_count + excluded.seen_count`,
    values: [
      organizationId,
      connectionId,
      ordered.map(({ externalId }) => externalId),
      ordered.map(({ last4 }) => last4),
      ordered.map(({ merchantName }) => merchantName),
      ordered.map(({ amount }) => amount),
      ordered.map(({ currency }) => currency),
      ordered.map(({ count }) => count),
      ordered.map(({ lastAt }) => toIso(lastAt)),
    ],
  })
  await db.query({
    name: 'remove-surplus-unknown-cards',
    text: `
      delete from unknown_cards
      where organization_id = $1 and connection_id = $2 and external_id in (
        select external_id from unknown_cards
        where organization_id = $1 and connection_id = $2
        order by last_at desc, external_id offset ${UNKNOWN_CARDS_MAX})`,
    values: [organizationId, connectionId],
  })
}

/** Removes a card that is now registered. */
export async function forgetUnknownCard(
  tx: Tx,
  organizationId: string,
  card: { readonly connectionId: string; readonly externalId: string },
): Promise<void> {
  await tx.query({
    text: `delete from unknown_cards
           where organization_id = $1 and connection_id = $2 and external_id = $3`,
    values: [organizationId, card.connectionId, card.externalId],
  })
}

/** The unknown cards of each connection that were seen last. */
export async function listUnknownCards(
  db: Queryable,
  organizationId: string,
  connectionIds: readonly string[],
  most: number,
): Promise<(SeenUnknownCard & { readonly connectionId: string })[]> {
  const rows = await db.query<SeenRow>({
    text: `
      select connection_id as "connectionId", external_id as "externalId", last4,
             merchant_name as "merchantName", amount, currency, seen_count as count,
             last_at as "lastAt"
      from (
        select u.*, row_number() over (
          partition by u.connection_id order by u.last_at desc, u.external_id) as place
        from unknown_cards u
        where u.organization_id = $1 and u.connection_id = any($2::uuid[])
      ) as placed
      where place <= $3
      order by place`,
    values: [organizationId, connectionIds, most],
  })
  return rows.map((row) => ({ ...row, count: Number(row.count) }))
}

interface SeenRow extends Omit<SeenUnknownCard, 'count'> {
  readonly connectionId: string
  readonly count: bigint
  readonly lastAt: Instant
}
