import type { Log } from '../../base/log.ts'
import type { Refusals } from './constraint.ts'
import { openEmbedded } from './embedded/open.ts'
import { PREPARED_FOLDER } from './embedded/prepared.ts'
import { openPostgres } from './postgres.ts'
import type { Database } from './queryable.ts'

export type { Refusals } from './constraint.ts'
export type { Database, Queryable, Remover, Session, Statement, Tx } from './queryable.ts'

interface DatabaseSettings {
  readonly dataDir: string
  readonly databaseUrl: string | undefined
  /** For the embedded engine. */
  readonly freeBytesMin?: number
  /** The refusals of the payment paths. */
  readonly refusals?: Refusals
  /** For PostgreSQL: the most connections that this process opens. */
  readonly connectionsMax?: number
  /** Creates the embedded database without tables, as a server does. */
  readonly isUnprepared?: boolean
}

/** PostgreSQL when a URL is given, otherwise the embedded engine in the data folder. */
export function openDatabase(settings: DatabaseSettings, log: Log): Promise<Database> {
  const { databaseUrl, connectionsMax, isUnprepared, ...embedded } = settings
  if (databaseUrl === undefined) {
    return openEmbedded(
      { ...embedded, ...(!isUnprepared && { preparedFolder: PREPARED_FOLDER }) },
      log,
    )
  }
  const { refusals } = settings
  const most = connectionsMax === undefined ? {} : { connectionsMax }
  return openPostgres({ url: databaseUrl, ...most, ...(refusals && { refusals }) }, log)
}
