import type { Database, Queryable, Tx } from '../engine/queryable.ts'
import { allowTriggers } from './allow-triggers.ts'
import { type Distribution, readDistribution } from './distribution.ts'
import { LONG_MS, takingLong } from './long-transaction.ts'
import { DISTRIBUTED, ROOT } from './placement.ts'
import { listReferences, referredFirst } from './references.ts'
import { registerTable } from './register.ts'

/**
 * Moves the tables that are not distributed yet to the workers, each in a transaction of its own, so
 * a command that was cut off can be repeated. Gateways must be stopped. Returns the names.
 */
export async function distributeTables(
  db: Database,
  shardCount: number | undefined,
  onTable: (name: string) => void,
): Promise<string[]> {
  const distribution = await readDistribution(db)
  requireNodes(distribution)
  const names = referredFirst(distribution.toDistribute, await listReferences(db)).sort(
    (a, b) => Number(b === ROOT) - Number(a === ROOT),
  )
  // After a way back that was cut off, tables on the workers are without those that they belong to.
  let anchor = distribution.onWorkers.at(0)
  for (const name of names) {
    onTable(name)
    const beside = anchor
    await takingLong(db, async (tx) => {
      await allowTriggers(tx)
      await place(tx, name, beside, shardCount)
    })
    anchor ??= name
  }
  await removeCopies(db)
  for (const name of distribution.toRegister) {
    await takingLong(db, (tx) => registerTable(tx, name))
  }
  return names
}

function requireNodes({ citus, nodes }: Distribution): void {
  if (citus === null) {
    throw new Error(
      'This database does not have Citus. Add it to shared_preload_libraries on all nodes, and run  create extension citus  in this database on each of them. docs/distributed.md says more.',
    )
  }
  if (nodes.some(({ role, isActive }) => role === 'worker' && isActive)) return
  throw new Error(
    `No worker is active. Add workers with  select citus_add_node('host', port)  in this database. docs/distributed.md says more.`,
  )
}

/**
 * Copies the rows to the workers. All tables are colocated with the first one, so that all rows of an
 * organization are on the same worker.
 */
async function place(
  tx: Queryable,
  name: string,
  anchor: string | undefined,
  shardCount: number | undefined,
): Promise<void> {
  await tx.query({
    text: `select create_distributed_table($1::text::regclass, $2::text, colocate_with => $3::text,
                                           shard_count => $4::int)`,
    values: [
      name,
      DISTRIBUTED.get(name),
      anchor ?? 'none',
      anchor === undefined ? (shardCount ?? null) : null,
    ],
    timeoutMs: LONG_MS,
  })
}

/**
 * Citus leaves the rows on the coordinator, where no statement sees them. They are removed once all
 * tables are distributed, since a table cannot be emptied while a local one refers to it.
 */
async function removeCopies(db: Database): Promise<void> {
  const copies = await db.query<{ name: string }>({
    text: `
      select c.relname as name from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid
      where c.relnamespace = current_schema()::regnamespace and not c.relispartition
        and c.relname = any($1::text[])
        and (select sum(pg_relation_size(t.relid)) from pg_partition_tree(c.oid) t) > 0`,
    values: [[...DISTRIBUTED.keys()]],
  })
  for (const { name } of copies) {
    await takingLong(db, (tx) => removeCopy(tx, name))
  }
}

/** The trigger that keeps leaves of the audit log would also keep these copies. */
async function removeCopy(tx: Tx, name: string): Promise<void> {
  await allowTriggers(tx)
  await tx.query({ text: `alter table ${name} disable trigger user` })
  await tx.query({
    text: 'select truncate_local_data_after_distributing_table($1::text::regclass)',
    values: [name],
    timeoutMs: LONG_MS,
  })
  await tx.query({ text: `alter table ${name} enable trigger user` })
}
