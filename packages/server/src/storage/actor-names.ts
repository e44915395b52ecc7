import { toUuid } from '../core/id.ts'
import type { Queryable } from './engine/database.ts'

/** The sender of a spend. */
export interface Requester {
  readonly kind: 'key' | 'member' | 'issuer'
  readonly id: string
  readonly name: string
}

/** The fields of a transaction that say who sent the spend. */
export interface RequestedRow {
  readonly requestedBy: string | null
  readonly path: string
  readonly external: object | null
}

type Names = ReadonlyMap<string, string>

const NO_NAMES: Names = new Map()

/**
 * Finds the senders of spends, with their current names. Rows of keys and members outlive a
 * revocation or removal, so old transactions still name them. An id alone does not say whether it is
 * a key's or a member's: nearly all spends come from keys, so members are searched only for the rest.
 */
export async function readRequesters(
  db: Queryable,
  organizationId: string,
  rows: readonly RequestedRow[],
): Promise<(row: RequestedRow) => Requester | null> {
  const ids = distinct(rows.map(({ requestedBy }) => requestedBy))
  const [keys, connections] = await Promise.all([
    readKeyNames(db, organizationId, ids),
    readConnectionNames(db, organizationId, distinct(rows.map(connectionOf))),
  ])
  const rest = ids.filter((id) => !keys.has(id))
  const members = await readMemberNames(db, organizationId, rest)
  const found = (kind: Requester['kind'], names: Names, id: string): Requester | undefined => {
    const name = names.get(id)
    return name === undefined ? undefined : { kind, id, name }
  }
  return (row) => {
    const { requestedBy: id } = row
    if (id !== null) return found('key', keys, id) ?? found('member', members, id) ?? null
    const connection = connectionOf(row)
    return connection === null ? null : (found('issuer', connections, connection) ?? null)
  }
}

/** An issuer has no key: the record of the spend names the connection that the request came by. */
function connectionOf({ requestedBy, path, external }: RequestedRow): string | null {
  if (requestedBy !== null || path !== 'card') return null
  const { connectionId } = Object(external)
  return typeof connectionId === 'string' ? (toUuid('conn', connectionId) ?? null) : null
}

/**
 * The current names of actors, by the text that is stored beside their changes. Null for the operator
 * and the gateway, which have no names.
 */
export async function readActorNames(
  db: Queryable,
  organizationId: string,
  actors: readonly (string | null)[],
): Promise<(actor: string | null) => string | null> {
  const idsOf = (prefix: 'key' | 'mem') =>
    distinct(actors.map((actor) => (actor === null ? null : toUuid(prefix, actor))))
  const [keys, members] = await Promise.all([
    readKeyNames(db, organizationId, idsOf('key')),
    readMemberNames(db, organizationId, idsOf('mem')),
  ])
  return (actor) => {
    if (actor === null) return null
    return nameIn(keys, toUuid('key', actor)) ?? nameIn(members, toUuid('mem', actor)) ?? null
  }
}

function nameIn(names: Names, id: string | undefined): string | undefined {
  return id === undefined ? undefined : names.get(id)
}

function distinct(ids: readonly (string | null | undefined)[]): string[] {
  return [...new Set(ids.flatMap((id) => id ?? []))]
}

/** Each table has its own query, because keys may be stored in a different place than members. */
async function readKeyNames(
  db: Queryable,
  organizationId: string,
  ids: readonly string[],
): Promise<Names> {
  if (ids.length === 0) return NO_NAMES
  const rows = await db.query<NamedRow>({
    name: 'read-key-names',
    text: 'select id, name from api_keys where organization_id = $1 and id = any($2::uuid[])',
    values: [organizationId, ids],
  })
  return toNames(rows)
}

async function readMemberNames(
  db: Queryable,
  organizationId: string,
  ids: readonly string[],
): Promise<Names> {
  if (ids.length === 0) return NO_NAMES
  const rows = await db.query<NamedRow>({
    name: 'read-member-names',
    text: 'select id, name from members where organization_id = $1 and id = any($2::uuid[])',
    values: [organizationId, ids],
  })
  return toNames(rows)
}

async function readConnectionNames(
  db: Queryable,
  organizationId: string,
  ids: readonly string[],
): Promise<Names> {
  if (ids.length === 0) return NO_NAMES
  const rows = await db.query<NamedRow>({
    name: 'read-connection-names',
    text: `select id, name from card_connections
           where organization_id = $1 and id = any($2::uuid[])`,
    values: [organizationId, ids],
  })
  return toNames(rows)
}

interface NamedRow {
  readonly id: string
  readonly name: string
}

function toNames(rows: readonly NamedRow[]): Names {
  return new Map(rows.map(({ id, name }) => [id, name]))
}
