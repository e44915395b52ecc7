import type { Instant } from '../../core/time/instant.ts'
import type { Queryable } from './queryable.ts'

/** The state of a PostgreSQL server, as an operator needs it. */
export interface PostgresState {
  readonly version: string
  readonly databaseBytes: number
  readonly connections: number
  /** Connections that are left to users without special rights. */
  readonly connectionsMax: number
  readonly fsync: string
  readonly synchronousCommit: string
  readonly archiveMode: string
  /** When the server last archived a segment of its write-ahead log; null if never. */
  readonly archivedAt: Instant | null
  /** When archiving last failed; null if never. */
  readonly archivingFailedAt: Instant | null
}

/** Reads the state of the server. Every role may read these views. */
export async function readPostgresState(db: Queryable): Promise<PostgresState> {
  const [row] = await db.query<Row>({
    text: `
      select current_setting('server_version') as version,
             pg_database_size(current_database()) as "databaseBytes",
             (select count(*) from pg_stat_activity where backend_type = 'client backend')
               as connections,
             current_setting('max_connections')::int
               - current_setting('superuser_reserved_connections')::int
               - coalesce(current_setting('reserved_connections', true)::int, 0)
               as "connectionsMax",
             current_setting('fsync') as fsync,
             current_setting('synchronous_commit') as "synchronousCommit",
             current_setting('archive_mode') as "archiveMode",
             last_archived_time as "archivedAt", last_failed_time as "archivingFailedAt"
      from pg_stat_archiver`,
  })
  if (!row) throw new Error('PostgreSQL did not report its state.')
  const { databaseBytes, connections, ...rest } = row
  return { ...rest, databaseBytes: Number(databaseBytes), connections: Number(connections) }
}

type Row = Omit<PostgresState, 'databaseBytes' | 'connections'> & {
  readonly databaseBytes: bigint
  readonly connections: bigint
}
