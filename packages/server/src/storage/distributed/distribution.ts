import type { Queryable } from '../engine/queryable.ts'
import { DISTRIBUTED, REGISTERED, ROOT, UNDISTRIBUTED } from './placement.ts'

/** A node of a PostgreSQL that is distributed by Citus. */
export interface Node {
  /** Such as `10.0.0.7:5432`. */
  readonly address: string
  readonly role: 'coordinator' | 'worker'
  /** Whether Citus uses the node. It says nothing about whether the node answers now. */
  readonly isActive: boolean
  /** How many parts of `organizations` the node has. */
  readonly shards: number
}

/** The places of the tables. */
export interface Distribution {
  /** `plain`: no table is distributed. `partly`: a part of those that belong on workers is not. */
  readonly state: 'plain' | 'partly' | 'distributed'
  /** The version of Citus in this database; null if the database does not have it. */
  readonly citus: string | null
  readonly nodes: readonly Node[]
  /** Tables on the workers, in parts by organization. */
  readonly onWorkers: readonly string[]
  /** Tables on the coordinator that belong there. */
  readonly onCoordinator: readonly string[]
  /** Tables on the coordinator that belong on the workers. */
  readonly toDistribute: readonly string[]
  /** Tables on the coordinator that Citus would not commit together with those of a worker yet. */
  readonly toRegister: readonly string[]
}

/** Reads the places of the tables in the catalogue. It asks no worker. */
export async function readDistribution(db: Queryable): Promise<Distribution> {
  const existing = await listExisting(db)
  const citus = await findCitus(db)
  const distributed = new Set(citus === null ? [] : await listDistributed(db))
  const registered = new Set(citus === null ? [] : await listRegistered(db))
  const belonging = existing.filter((name) => DISTRIBUTED.has(name))
  const onWorkers = belonging.filter((name) => distributed.has(name))
  const toDistribute = belonging.filter((name) => !distributed.has(name))
  const onCoordinator = existing.filter((name) => UNDISTRIBUTED.includes(name))
  const toRegister = existing.filter((name) => REGISTERED.includes(name) && !registered.has(name))
  return {
    state: stateOf(onWorkers.length, toDistribute.length + toRegister.length),
    citus,
    nodes: citus === null ? [] : await listNodes(db),
    onWorkers,
    onCoordinator,
    toDistribute,
    toRegister,
  }
}

/** Whether the tables of the organizations are on workers. */
export async function isDistributed(db: Queryable): Promise<boolean> {
  if ((await findCitus(db)) === null) return false
  return (await listDistributed(db)).includes(ROOT)
}

/** Throws if a part of the tables is distributed and a part is not: statements join both. */
export async function requireWhole(db: Queryable): Promise<void> {
  // Every start asks this, and most databases have no Citus.
  if ((await findCitus(db)) === null) return
  const { state, toDistribute, toRegister } = await readDistribution(db)
  if (state !== 'partly') return
  throw new Error(
    `The store is distributed, but not these tables: ${[...toDistribute, ...toRegister].join(', ')}. A migration added them, or the command was cut off. Stop all gateways and run  purser migrate --distributed`,
  )
}

function stateOf(onWorkers: number, missing: number): Distribution['state'] {
  if (onWorkers === 0) return 'plain'
  return missing === 0 ? 'distributed' : 'partly'
}

async function listExisting(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ name: string }>({
    text: `
      select relname as name from pg_class
      where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
        and not relispartition and relname = any($1::text[])
      order by relname collate "C"`,
    values: [[...DISTRIBUTED.keys(), ...UNDISTRIBUTED]],
  })
  return rows.map(({ name }) => name)
}

async function findCitus(db: Queryable): Promise<string | null> {
  const [row] = await db.query<{ version: string }>({
    text: `select extversion as version from pg_extension where extname = 'citus'`,
  })
  return row?.version ?? null
}

function listDistributed(db: Queryable): Promise<string[]> {
  return listPlaced(db, 'h')
}

/** The tables of the coordinator that Citus knows (register.ts). */
export function listRegistered(db: Queryable): Promise<string[]> {
  return listPlaced(db, 'n')
}

/** The method is `h` for tables in parts by the hash of a column, `n` for those of one part. */
async function listPlaced(db: Queryable, method: 'h' | 'n'): Promise<string[]> {
  const rows = await db.query<{ name: string }>({
    text: `
      select c.relname as name from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid
      where c.relnamespace = current_schema()::regnamespace and p.partmethod = $1::"char"
      order by c.relname collate "C"`,
    values: [method],
  })
  return rows.map(({ name }) => name)
}

function listNodes(db: Queryable): Promise<Node[]> {
  return db.query<Node>({
    text: `
      select n.nodename || ':' || n.nodeport as address,
             case when n.groupid = 0 then 'coordinator' else 'worker' end as role,
             n.isactive as "isActive",
             (select count(*)::int from pg_dist_placement p join pg_dist_shard s using (shardid)
              where p.groupid = n.groupid and s.logicalrelid = to_regclass('organizations')) as shards
      from pg_dist_node n
      where n.noderole = 'primary'
      order by n.groupid, n.nodeid`,
  })
}
