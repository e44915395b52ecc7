import { toUuid } from '../core/id.ts'
import type { Queryable } from './engine/database.ts'

type Names = ReadonlyMap<string, string>

const NO_NAMES: Names = new Map()

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
    const [key, member] = [toUuid('key', actor), toUuid('mem', actor)]
    return (key && keys.get(key)) ?? (member && members.get(member)) ?? null
  }
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

interface NamedRow {
  readonly id: string
  readonly name: string
}

function toNames(rows: readonly NamedRow[]): Names {
  return new Map(rows.map(({ id, name }) => [id, name]))
}
