import type { Instant } from '../../core/time/instant.ts'
import { readClock } from '../engine/clock.ts'
import type { Queryable } from '../engine/database.ts'

/** A migration that the store has. */
export interface AppliedMigration {
  readonly id: number
  readonly name: string
  readonly checksum: string
}

/** The last signed checkpoint of an organization's audit log. */
export interface AuditHead {
  readonly organizationId: string
  readonly size: number
  readonly note: string
}

/** What the manifest of a backup says about the store. Ids are in the form of the database. */
export interface StoreFacts {
  readonly at: Instant
  readonly migrations: readonly AppliedMigration[]
  readonly organizations: readonly { readonly id: string; readonly name: string }[]
  readonly auditHeads: readonly AuditHead[]
}

export async function readStoreFacts(tx: Queryable): Promise<StoreFacts> {
  const at = await readClock(tx)
  const migrations = await listMigrations(tx)
  const organizations = await tx.query<{ id: string; name: string }>({
    text: 'select id, name from organizations order by id',
  })
  return { at, migrations, organizations, auditHeads: await listAuditHeads(tx) }
}

/** Empty for a database without our tables. */
export async function listMigrations(db: Queryable): Promise<AppliedMigration[]> {
  if (!(await hasTable(db, 'schema_migrations'))) return []
  return db.query<AppliedMigration>({
    text: 'select id, name, checksum from schema_migrations order by id',
  })
}

export async function listAuditHeads(db: Queryable): Promise<AuditHead[]> {
  const rows = await db.query<{ organizationId: string; size: bigint; note: string }>({
    text: `select organization_id as "organizationId", signed_size as size, note from audit_logs
           where note is not null order by organization_id`,
  })
  return rows.map((row) => ({ ...row, size: Number(row.size) }))
}

export async function hasTable(db: Queryable, name: string): Promise<boolean> {
  const rows = await db.query({
    text: 'select 1 where to_regclass($1) is not null',
    values: [name],
  })
  return rows.length > 0
}
