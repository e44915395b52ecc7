import { type Instant, toIso } from '../../../core/time/instant.ts'
import type { Queryable, Statement, Tx } from '../../../storage/engine/database.ts'
import { type Condition, type Page, type PageRequest, pageOf } from '../../../storage/page.ts'
import { CARDS_MAX, type Card, type CardInUse, type CardStatus } from '../registry/card.ts'
import { storeHolder } from './card-holders.ts'

const NAMES: Readonly<Record<keyof Card, string>> = {
  id: 'id',
  connectionId: 'connection_id',
  externalId: 'external_id',
  agentId: 'agent_id',
  last4: 'last4',
  currency: 'currency',
  label: 'label',
  status: 'status',
  statusReason: 'status_reason',
  providerStatus: 'provider_status',
  metadata: 'metadata',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  updatedBy: 'updated_by',
}
const COLUMNS = Object.entries(NAMES)
  .map(([field, column]) => `c.${column} as "${field}"`)
  .join(', ')

/**
 * Returns the card as it is stored; undefined if the connection has an open card of this name. A new
 * card takes over the issuer's last status of a closed card of this name.
 */
export async function insertCard(
  tx: Tx,
  organizationId: string,
  card: Card,
): Promise<Card | undefined> {
  const [stored] = await tx.query<Pick<Card, 'providerStatus'>>({
    text: `
      insert into cards (organization_id, id, connection_id, external_id, agent_id, last4, currency,
                         label, status, status_reason, metadata, created_at, updated_at,
                         updated_by, provider_status, provider_status_at)
      select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12, $13, said.status, said.at
      from (select $4::text as external_id) as name
      left join lateral (
        select c.provider_status as status, c.provider_status_at as at from cards c
        where c.organization_id = $1 and c.connection_id = $3 and c.external_id = name.external_id
        order by c.created_at desc limit 1
      ) as said on true
      on conflict (organization_id, connection_id, external_id) where status <> 'closed' do nothing
      returning provider_status as "providerStatus"`,
    values: [
      organizationId,
      card.id,
      card.connectionId,
      card.externalId,
      card.agentId,
      card.last4,
      card.currency,
      card.label,
      card.status,
      card.statusReason,
      JSON.stringify(card.metadata),
      toIso(card.createdAt),
      card.updatedBy,
    ],
  })
  if (!stored) return undefined
  tx.send(storeHolder(organizationId, card, card.createdAt))
  return { ...card, ...stored }
}

/** Whether the organization can have one more card; exact while the organization is locked. */
export async function hasRoomForCard(tx: Tx, organizationId: string): Promise<boolean> {
  const [row] = await tx.query<{ count: bigint }>({
    text: `select count(*) as count from (
             select 1 from cards where organization_id = $1 and status <> 'closed' limit $2
           ) as counted`,
    values: [organizationId, CARDS_MAX],
  })
  return Number(row?.count ?? 0n) < CARDS_MAX
}

export async function lockCard(
  tx: Tx,
  organizationId: string,
  id: string,
): Promise<Card | undefined> {
  const [card] = await tx.query<Card>({
    text: `select ${COLUMNS} from cards c
           where c.organization_id = $1 and c.id = $2 for no key update`,
    values: [organizationId, id],
  })
  return card
}

/** The caller holds the lock. */
export async function updateCard(tx: Tx, organizationId: string, card: Card): Promise<void> {
  await tx.query({
    text: `update cards
           set label = $3, status = $4, status_reason = $5, metadata = $6, updated_at = $7,
               updated_by = $8, agent_id = $9
           where organization_id = $1 and id = $2`,
    values: [
      organizationId,
      card.id,
      card.label,
      card.status,
      card.statusReason,
      JSON.stringify(card.metadata),
      toIso(card.updatedAt),
      card.updatedBy,
      card.agentId,
    ],
  })
}

export interface CardFilter {
  readonly connectionId: string | undefined
  readonly externalId: string | undefined
  readonly agentId: string | undefined
  readonly status: CardStatus | undefined
  /** The agents whose cards a bound key may see; null means all. */
  readonly agentIds: readonly string[] | null
}

export function listCards(
  db: Queryable,
  organizationId: string,
  filter: CardFilter,
  page: PageRequest,
): Promise<Page<Card>> {
  const conditions: Condition[] = [['c.organization_id = ?', organizationId]]
  if (filter.connectionId !== undefined) conditions.push(['connection_id = ?', filter.connectionId])
  if (filter.externalId !== undefined) {
    // The index of these ids begins with the connection.
    conditions.push([OF_ANY_CONNECTION, organizationId], ['external_id = ?', filter.externalId])
  }
  if (filter.agentId !== undefined) conditions.push(['agent_id = ?', filter.agentId])
  const filters: Condition[] = filter.status === undefined ? [] : [['status = ?', filter.status]]
  if (filter.agentIds !== null) conditions.push(['agent_id = any(?::uuid[])', filter.agentIds])
  return pageOf<Card>(db, page, { columns: COLUMNS, from: 'cards c', conditions, filters })
}

const OF_ANY_CONNECTION = `connection_id = any(array(
  select n.id from card_connections n where n.organization_id = ?))`

/** At most one card of a name is open; if all are closed, the newest one counts. */
export const NEWEST_FIRST = `order by (x.status = 'closed'), x.created_at desc limit 1`

/** Returns undefined if the connection has no such card. */
export async function readCard(
  db: Queryable,
  organizationId: string,
  connectionId: string,
  externalId: string,
): Promise<CardInUse | undefined> {
  const [card] = await db.query<CardInUse>({
    name: 'read-card',
    text: `
      select ${COLUMNS}, o.frozen as "isFrozen",
             case when a.deleted_at is null then a.status else 'deleted' end as "agentStatus"
      from (
        select * from cards x
        where x.organization_id = $1 and x.connection_id = $2 and x.external_id = $3 ${NEWEST_FIRST}
      ) as c
      join agents a on a.organization_id = $1 and a.id = c.agent_id
      join organizations o on o.id = $1`,
    values: [organizationId, connectionId, externalId],
  })
  return card
}

/**
 * Stores the issuer's status of a card. The latest status counts, in any order of arrival; of several
 * at the same instant, the strictest one. `at` is by the issuer's clock.
 */
export function mirrorCardStatus(
  organizationId: string,
  card: Pick<Card, 'id'>,
  providerStatus: CardStatus,
  at: Instant,
): Statement {
  return {
    name: 'mirror-card-status',
    text: `update cards set provider_status = $3, provider_status_at = $4
           where organization_id = $1 and id = $2
             and (provider_status_at is null or provider_status_at < $4
                  or (provider_status_at = $4 and (provider_status = 'active' or $3::text = 'closed')))`,
    values: [organizationId, card.id, providerStatus, toIso(at)],
  }
}

/** Closes the cards of a removed connection. */
export function closeCardsOf(
  organizationId: string,
  connectionId: string,
  now: Instant,
  by: string | null,
): Statement {
  return {
    text: `update cards
           set status = 'closed', status_reason = 'connection_removed', updated_at = $3, updated_by = $4
           where organization_id = $1 and connection_id = $2 and status <> 'closed'`,
    values: [organizationId, connectionId, toIso(now), by],
  }
}

/** Pauses a card if it is active, and stores the reason. */
export function pauseCard(
  organizationId: string,
  id: string,
  reason: string,
  now: Instant,
): Statement {
  return {
    name: 'pause-card',
    text: `update cards
           set status = 'paused', status_reason = $3, updated_at = $4, updated_by = 'system'
           where organization_id = $1 and id = $2 and status = 'active'`,
    values: [organizationId, id, reason, toIso(now)],
  }
}
