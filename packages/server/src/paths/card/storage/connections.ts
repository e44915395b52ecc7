import { type Instant, toIso } from '../../../core/time/instant.ts'
import type { Queryable, Statement, Tx } from '../../../storage/engine/database.ts'
import { type Condition, type Page, type PageRequest, pageOf } from '../../../storage/page.ts'
import type { Provider } from '../issuers/issuer.ts'
import type { CardConnection, SecretKind } from '../registry/connection.ts'

const COLUMNS = `
  id, provider, name, livemode, status, fail_mode as "failMode",
  fail_open_max_amount as "failOpenMaxAmount", deadline_ms as "deadlineMs",
  partial_approvals as "partialApprovals", pause_on_over_capture as "pauseOnOverCapture",
  authorization_secret_hint as "authorizationHint",
  authorization_previous_until as "authorizationPreviousUntil",
  events_secret_hint as "eventsHint", events_previous_until as "eventsPreviousUntil",
  last_request_at as "lastRequestAt", last_event_at as "lastEventAt",
  unheard_since as "unheardSince", created_at as "createdAt", updated_at as "updatedAt",
  updated_by as "updatedBy"`

interface Row extends Omit<CardConnection, 'authorizationSecret' | 'eventsSecret'> {
  readonly authorizationHint: string | null
  readonly authorizationPreviousUntil: Instant | null
  readonly eventsHint: string | null
  readonly eventsPreviousUntil: Instant | null
}

export async function insertConnection(
  tx: Tx,
  organizationId: string,
  connection: CardConnection,
): Promise<void> {
  await tx.query({
    text: `
      insert into card_connections (
        organization_id, id, provider, name, livemode, status, fail_mode, fail_open_max_amount,
        deadline_ms, partial_approvals, pause_on_over_capture, created_at, updated_at, updated_by)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12, $13)`,
    values: [
      organizationId,
      connection.id,
      connection.provider,
      connection.name,
      connection.livemode,
      connection.status,
      connection.failMode,
      connection.failOpenMaxAmount,
      connection.deadlineMs,
      connection.partialApprovals,
      connection.pauseOnOverCapture,
      toIso(connection.createdAt),
      connection.updatedBy,
    ],
  })
}

/** Counts the active connections; exact while the organization is locked. */
export async function countConnections(tx: Tx, organizationId: string): Promise<number> {
  const [row] = await tx.query<{ count: bigint }>({
    text: `select count(*) as count from card_connections
           where organization_id = $1 and status = 'active'`,
    values: [organizationId],
  })
  return Number(row?.count ?? 0n)
}

export async function hasConnection(
  db: Queryable,
  organizationId: string,
  id: string,
): Promise<boolean> {
  const rows = await db.query({
    text: `select 1 from card_connections
           where organization_id = $1 and id = $2 and status <> 'removed'`,
    values: [organizationId, id],
  })
  return rows.length > 0
}

/** The time of the issuer's last event. */
export async function findHeardAt(
  db: Queryable,
  organizationId: string,
  id: string,
): Promise<Instant | null> {
  const [row] = await db.query<{ heardAt: Instant | null }>({
    text: `select last_event_at as "heardAt" from card_connections
           where organization_id = $1 and id = $2`,
    values: [organizationId, id],
  })
  return row?.heardAt ?? null
}

export async function lockConnection(
  tx: Tx,
  organizationId: string,
  id: string,
): Promise<CardConnection | undefined> {
  const [row] = await tx.query<Row>({
    text: `select ${COLUMNS} from card_connections
           where organization_id = $1 and id = $2 for no key update`,
    values: [organizationId, id],
  })
  return row && toConnection(row)
}

/** Updates all settings except the secrets. The caller holds the lock. */
export async function updateConnection(
  tx: Tx,
  organizationId: string,
  connection: CardConnection,
): Promise<void> {
  await tx.query({
    text: `
      update card_connections
      set name = $3, status = $4, fail_mode = $5, fail_open_max_amount = $6, deadline_ms = $7,
          partial_approvals = $8, pause_on_over_capture = $9, updated_at = $10, updated_by = $11
      where organization_id = $1 and id = $2`,
    values: [
      organizationId,
      connection.id,
      connection.name,
      connection.status,
      connection.failMode,
      connection.failOpenMaxAmount,
      connection.deadlineMs,
      connection.partialApprovals,
      connection.pauseOnOverCapture,
      toIso(connection.updatedAt),
      connection.updatedBy,
    ],
  })
}

export interface NewSecret {
  readonly kind: SecretKind
  readonly sealed: Buffer
  readonly hint: string
  /** The end of the overlap in which the previous secret is accepted too, if there is one. */
  readonly previousUntil: Instant
}

/** The caller holds the lock. */
export function replaceSecret(organizationId: string, id: string, secret: NewSecret): Statement {
  const { kind, sealed, hint, previousUntil } = secret
  return {
    text: `
      update card_connections
      set ${kind}_previous_secret = ${kind}_secret,
          ${kind}_previous_until = case when ${kind}_secret is null then null else $5::timestamptz end,
          ${kind}_secret = $3, ${kind}_secret_hint = $4
      where organization_id = $1 and id = $2`,
    values: [organizationId, id, sealed, hint, toIso(previousUntil)],
  }
}

/** Removes all secrets of a removed connection. The caller holds the lock. */
export function removeSecrets(organizationId: string, id: string): Statement {
  return {
    text: `
      update card_connections
      set authorization_secret = null, authorization_secret_hint = null,
          authorization_previous_secret = null, authorization_previous_until = null,
          events_secret = null, events_secret_hint = null,
          events_previous_secret = null, events_previous_until = null
      where organization_id = $1 and id = $2`,
    values: [organizationId, id],
  }
}

/** Removed connections are listed only if the filter names that status. */
export interface ConnectionFilter {
  readonly provider: Provider | undefined
  readonly status: CardConnection['status'] | undefined
}

export async function listConnections(
  db: Queryable,
  organizationId: string,
  { provider, status }: ConnectionFilter,
  page: PageRequest,
): Promise<Page<CardConnection>> {
  const conditions: Condition[] = [['organization_id = ?', organizationId]]
  if (provider !== undefined) conditions.push(['provider = ?', provider])
  if (status !== undefined) conditions.push(['status = ?', status])
  else conditions.push(['status <> ?', 'removed'])
  const query = { columns: COLUMNS, from: 'card_connections', conditions }
  const found = await pageOf<Row>(db, page, query)
  return { ...found, rows: found.rows.map(toConnection) }
}

/** A connection with its sealed secrets. */
export interface SealedConnection extends CardConnection {
  readonly sealed: Readonly<
    Record<SecretKind, { readonly current: Buffer | null; readonly previous: Buffer | null }>
  >
}

interface SealedRow extends Row {
  readonly authorizationSecret: Buffer | null
  readonly authorizationPreviousSecret: Buffer | null
  readonly eventsSecret: Buffer | null
  readonly eventsPreviousSecret: Buffer | null
}

export async function findSealedConnection(
  db: Queryable,
  organizationId: string,
  id: string,
): Promise<SealedConnection | undefined> {
  const [row] = await db.query<SealedRow>({
    name: 'find-card-connection',
    text: `
      select ${COLUMNS}, authorization_secret as "authorizationSecret",
             authorization_previous_secret as "authorizationPreviousSecret",
             events_secret as "eventsSecret", events_previous_secret as "eventsPreviousSecret"
      from card_connections where organization_id = $1 and id = $2`,
    values: [organizationId, id],
    isUnshared: true,
  })
  if (!row) return undefined
  const { authorizationSecret, authorizationPreviousSecret } = row
  const { eventsSecret, eventsPreviousSecret, ...rest } = row
  return {
    ...toConnection(rest),
    sealed: {
      authorization: { current: authorizationSecret, previous: authorizationPreviousSecret },
      events: { current: eventsSecret, previous: eventsPreviousSecret },
    },
  }
}

function toConnection(row: Row): CardConnection {
  const {
    authorizationHint,
    authorizationPreviousUntil,
    eventsHint,
    eventsPreviousUntil,
    ...rest
  } = row
  return {
    ...rest,
    authorizationSecret: { hint: authorizationHint, previousUntil: authorizationPreviousUntil },
    eventsSecret: { hint: eventsHint, previousUntil: eventsPreviousUntil },
  }
}
