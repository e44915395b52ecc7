import type { Micros } from '../../../core/money.ts'
import { type Instant, toIso } from '../../../core/time/instant.ts'
import type { TransactionFlag } from '../../../core/transaction.ts'
import type { Queryable, Statement, Tx } from '../../../storage/engine/database.ts'
import { plainArray } from '../../../storage/engine/wire-array.ts'
import type { CardMerchant } from '../issuers/issuer.ts'
import type { Seller } from '../seller.ts'
import type { AuthorizationName } from './facts.ts'

/** Groups the requests of a purchase, and all events of its issuer about it (ADR 37). */
export interface CardAuthorization extends AuthorizationName {
  readonly id: string
  readonly cardId: string | null
  readonly agentId: string | null
  readonly currency: string | null
  readonly vendor: string | null
  readonly category: string | null
  readonly merchant: CardMerchant | null
  readonly merchantFlags: readonly TransactionFlag[]
  /** The transaction that carries money which no request covers. */
  readonly recordedId: string | null
  /** The captured amount at the last booking. */
  readonly captured: Micros
  readonly isBooked: boolean
  readonly isFull: boolean
  readonly askedAt: Instant | null
  readonly createdAt: Instant
}

/** The fields of an authorization at its first request or event. */
export type NewAuthorization = Omit<
  CardAuthorization,
  'recordedId' | 'captured' | 'isBooked' | 'isFull' | 'askedAt' | 'createdAt'
>

const COLUMNS = `
  id, connection_id as "connectionId", external_id as "externalId", card_id as "cardId",
  agent_id as "agentId", currency, vendor, category, merchant, merchant_flags as "merchantFlags",
  recorded_id as "recordedId", captured, is_booked as "isBooked", is_full as "isFull",
  asked_at as "askedAt", created_at as "createdAt"`

export const INSERT_AUTHORIZATIONS = `
  insert into card_authorizations (
    organization_id, id, connection_id, external_id, card_id, agent_id, currency, vendor, category,
    merchant, merchant_flags, held, captured, refunded, flags, is_full, is_booked, look_at, asked_at,
    created_at)`

/** Fills the columns that are still null. Merchant flags are replaced together with the vendor. */
export const TAKEN_OVER = `
  card_id = coalesce(card_authorizations.card_id, excluded.card_id),
  agent_id = coalesce(card_authorizations.agent_id, excluded.agent_id),
  vendor = coalesce(card_authorizations.vendor, excluded.vendor),
  category = coalesce(card_authorizations.category, excluded.category),
  merchant = coalesce(card_authorizations.merchant, excluded.merchant),
  merchant_flags = case when card_authorizations.vendor is null
    then excluded.merchant_flags else card_authorizations.merchant_flags end`

const IS_SPENDER_NEW = 'card_authorizations.agent_id is null and excluded.agent_id is not null'

/**
 * Stores and locks the authorization of an event, and marks a new one for booking. It sets the agent if
 * that was unknown before; then the earlier facts can be booked as well.
 */
export async function hearOf(
  tx: Tx,
  organizationId: string,
  authorization: NewAuthorization,
  now: Instant,
): Promise<CardAuthorization> {
  const [row] = await tx.query<CardAuthorization>({
    name: 'hear-of-card-authorization',
    text: `
      ${INSERT_AUTHORIZATIONS}
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 0, 0, 0, '{}', false, false, $12, null, $12)
      on conflict (organization_id, connection_id, external_id) do update
      set ${TAKEN_OVER},
        currency = coalesce(card_authorizations.currency, excluded.currency),
        is_booked = card_authorizations.is_booked and not (${IS_SPENDER_NEW}),
        look_at = case when ${IS_SPENDER_NEW} then $12 else card_authorizations.look_at end
      returning ${COLUMNS}`,
    values: [...valuesOf(organizationId, authorization), toIso(now)],
  })
  if (!row) throw new Error('An authorization was not stored.')
  return row
}

function valuesOf(organizationId: string, authorization: NewAuthorization): unknown[] {
  return [
    organizationId,
    authorization.id,
    authorization.connectionId,
    authorization.externalId,
    authorization.cardId,
    authorization.agentId,
    authorization.currency,
    authorization.vendor,
    authorization.category,
    authorization.merchant === null ? null : JSON.stringify(authorization.merchant),
    plainArray(authorization.merchantFlags),
  ]
}

/** Marks an authorization for booking. From `lookAt` a worker books it, if no other process has. */
export function markUnbooked(
  organizationId: string,
  id: string,
  change: { readonly isFull: boolean; readonly lookAt: Instant },
): Statement {
  return {
    name: 'mark-card-authorization',
    text: `update card_authorizations set is_booked = false, is_full = $3, look_at = $4
           where organization_id = $1 and id = $2`,
    values: [organizationId, id, change.isFull, toIso(change.lookAt)],
  }
}

export async function findAuthorization(
  db: Queryable,
  organizationId: string,
  id: string,
): Promise<CardAuthorization | undefined> {
  const [row] = await db.query<CardAuthorization>({
    name: 'find-card-authorization',
    text: `select ${COLUMNS} from card_authorizations where organization_id = $1 and id = $2`,
    values: [organizationId, id],
  })
  return row
}

/** Finds an authorization by the names in its transactions' records. */
export async function findAuthorizationNamed(
  db: Queryable,
  organizationId: string,
  { connectionId, externalId }: AuthorizationName,
): Promise<CardAuthorization | undefined> {
  const [row] = await db.query<CardAuthorization>({
    name: 'find-named-card-authorization',
    text: `select ${COLUMNS} from card_authorizations
           where organization_id = $1 and connection_id = $2 and external_id = $3`,
    values: [organizationId, connectionId, externalId],
  })
  return row
}

/** Counts the authorizations of a connection that hold something, or may once they are booked. */
export async function countOpenHolds(
  db: Queryable,
  organizationId: string,
  connectionId: string,
): Promise<number> {
  const [row] = await db.query<{ count: bigint }>({
    name: 'count-open-card-holds',
    text: `select count(*) as count from card_authorizations
           where organization_id = $1 and connection_id = $2 and look_at is not null
             and (held > 0 or not is_booked)`,
    values: [organizationId, connectionId],
  })
  return Number(row?.count ?? 0n)
}

/** Callers take this lock after those of mandates and transactions, as decisions do. */
export async function lockAuthorization(
  tx: Tx,
  organizationId: string,
  id: string,
): Promise<CardAuthorization | undefined> {
  const [row] = await tx.query<CardAuthorization>({
    name: 'lock-card-authorization',
    text: `select ${COLUMNS} from card_authorizations
           where organization_id = $1 and id = $2 for update`,
    values: [organizationId, id],
  })
  return row
}

/** Runs in the transaction that records money which no request covers, so that it is recorded once. */
export function noteRecorded(
  organizationId: string,
  id: string,
  transactionId: string,
  external: object,
  seller: Seller | undefined,
  flags: readonly TransactionFlag[],
): Statement {
  return {
    name: 'note-recorded-card-spend',
    text: `
      with noted as (
        update transactions set external = $4::jsonb where organization_id = $1 and id = $3
      )
      update card_authorizations
      set recorded_id = $3, vendor = coalesce(vendor, $5), category = coalesce(category, $6),
          merchant_flags = (case when vendor is null then $7::text[] else merchant_flags end) || $8::text[]
      where organization_id = $1 and id = $2`,
    values: [
      organizationId,
      id,
      transactionId,
      JSON.stringify(external),
      seller?.vendor ?? null,
      seller?.category ?? null,
      plainArray(seller?.flags ?? []),
      plainArray(flags),
    ],
  }
}

/** Stores the sums of an authorization; the caller holds its lock. */
export function storeBooked(
  organizationId: string,
  id: string,
  booked: {
    readonly held: Micros
    readonly captured: Micros
    readonly refunded: Micros
    readonly flags: readonly TransactionFlag[]
    readonly lookAt: Instant | null
  },
): Statement {
  return {
    name: 'store-booked-card-authorization',
    text: `
      update card_authorizations
      set held = $3, captured = $4, refunded = $5, flags = $6::text[], look_at = $7, is_booked = true
      where organization_id = $1 and id = $2`,
    values: [
      organizationId,
      id,
      booked.held,
      booked.captured,
      booked.refunded,
      plainArray(booked.flags),
      booked.lookAt === null ? null : toIso(booked.lookAt),
    ],
  }
}
