import { UNCOMMITTED } from '../../src/operator/reconcile/uncommitted.ts'
import type { TestApp } from '../support/app.ts'

/** A change of one column of a live row, made directly in the database. */
export interface Edit {
  readonly table: string
  readonly column: string
  readonly type: string
  /** The number of rows of the table before it. */
  readonly row: number
}

/** Every column of the compared live tables, in some rows each. */
export async function listEdits(app: TestApp, rowsMax: number): Promise<Edit[]> {
  const columns = await app.rows<Omit<Edit, 'row'> & { isPartition: boolean }>(
    `select c.relname as table, a.attname as column, format_type(a.atttypid, a.atttypmod) as type
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and a.attnum > 0 and not a.attisdropped and a.attname <> 'organization_id'
     order by c.relname, a.attnum`,
  )
  const compared = columns.filter(({ table }) => typeof UNCOMMITTED[table] !== 'string')
  return compared.flatMap((column) =>
    Array.from({ length: rowsMax }, (_, row) => ({ ...column, row })),
  )
}

export function isListed({ table, column }: Edit): boolean {
  const listed = UNCOMMITTED[table]
  return typeof listed === 'string' || (listed !== undefined && column in listed)
}

/** New values for each type; the edit uses the first one that the database accepts. */
function othersOf(column: string, type: string): string[] {
  const c = `t."${column}"`
  switch (type) {
    case 'text':
      return [
        `coalesce(${c}, '') || 'x'`,
        ...['active', 'paused', 'revoked', 'closed', 'viewer', 'removed', 'settled', 'voided'],
        ...['held', 'rejected', 'approved', 'pending', 'expired', 'disabled', 'approve', 'reject'],
        ...['lithic', 'open', 'remote', 'daily', 'none', 'reset', 'member', 'cli'],
      ].map((text, at) => (at === 0 ? text : `'${text}'`))
    case 'boolean':
      return [`not coalesce(${c}, false)`]
    case 'integer':
    case 'bigint':
    case 'smallint':
      return [`coalesce(${c}, 0) + 1`, `coalesce(${c}, 2) - 1`]
    case 'timestamp with time zone':
      return [`coalesce(${c}, now()) + interval '1 hour'`]
    case 'date':
      return [`${c} + 1`]
    case 'uuid':
      return ['gen_random_uuid()', `(select max(x.id::text)::uuid from agents x)`]
    case 'uuid[]':
      return [`array_append(${c}, gen_random_uuid())`]
    case 'text[]':
      return [`array_append(${c}, 'x')`]
    case 'integer[]':
      return [`array_append(${c}, 7)`]
    case 'bigint[]':
      return [`array_append(${c}[1:array_length(${c}, 1) - 1], ${c}[array_length(${c}, 1)] + 1)`]
    case 'bytea':
      return [`'\\x0102'::bytea || coalesce(${c}, '')`]
    case 'jsonb':
      return [
        `case when jsonb_typeof(${c}) = 'array' then ${c} || '["x"]' else coalesce(${c}, '{}') || '{"x": 1}' end`,
      ]
    case 'json':
      return [`(coalesce(${c}::jsonb, '{}') || '{"x": 1}')::json`]
    default:
      return []
  }
}

const IS_SEALED = `exists (select 1 from audit_leaves l
  where l.organization_id = t.organization_id and l.number = t.number)`

/** Makes the edit and returns a function that reverts it; undefined if no row or no value fits. */
export async function apply(
  app: TestApp,
  organizationId: string,
  { table, column, type, row }: Edit,
): Promise<(() => Promise<void>) | undefined> {
  const own = table === 'organizations' ? 'id' : 'organization_id'
  // Test events never become leaves, and sign-ins may be recorded at any time.
  const isNumbered = table === 'webhook_events' || table === 'changes'
  // Changes by the gateway or the operator have no name, and nothing reads that column for them.
  const isNamed = table === 'changes' ? `and t.actor_kind in ('key', 'member')` : ''
  const happened = isNumbered ? `and ${IS_SEALED} ${isNamed}` : ''
  const [found] = await app.rows<{ place: string; part: string; old: string | null }>(
    `select t.ctid::text as place, t.tableoid::regclass::text as part, t."${column}"::text as old
     from ${table} t where t.${own} = $1 ${happened} order by md5(t::text) offset $2 limit 1`,
    [organizationId, row],
  )
  if (!found) return undefined
  for (const other of othersOf(column, type)) {
    try {
      const [changed] = await app.rows<{ place: string; part: string; isSame: boolean }>(
        `update ${table} t set "${column}" = ${other}
         where t.ctid = '${found.place}' and t.tableoid = '${found.part}'::regclass
         returning t.ctid::text as place, t.tableoid::regclass::text as part,
           t."${column}"::text is not distinct from $1::text as "isSame"`,
        [found.old],
      )
      if (!changed || changed.isSame) continue
      return async () => {
        await app.rows(
          `update ${table} t set "${column}" = $1::text::${type}
           where t.ctid = '${changed.place}' and t.tableoid = '${changed.part}'::regclass`,
          [found.old],
        )
      }
    } catch {
      // A constraint refuses this value, so try the next one.
    }
  }
  return undefined
}
