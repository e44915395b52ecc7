import { Pool, type PoolConfig } from 'pg'
import { logEvent } from '../../base/log/log-event.ts'
import type { Log } from '../../base/log.ts'
import { isDistributed } from '../distributed/distribution.ts'
import { type NodeGuard, openNodeGuard } from '../distributed/node-guard.ts'
import { createProbe } from '../distributed/probe.ts'
import { columnTypes } from './column-types.ts'
import { createConnectionShares } from './connection-shares.ts'
import type { Refusals } from './constraint.ts'
import { cutSilent } from './cut-silent.ts'
import { countMigrations } from './migrate.ts'
import { createPooled, SESSION_SETTINGS } from './pooled.ts'
import { nameConnections } from './postgres-gateways.ts'
import { listenOnPostgres } from './postgres-listener.ts'
import type { Database, Queryable } from './queryable.ts'

export interface PostgresSettings {
  readonly url: string
  readonly connectionsMax?: number
  /** The refusals of the payment paths. */
  readonly refusals?: Refusals
}

/**
 * 12 for the gateway's lanes, 8 for other requests, 6 for slow organizations, 2 for stops, 2 for key
 * look-ups. Workers use the ones that are free. The two listeners are not in the pool.
 */
const CONNECTIONS_MAX = 30
const LISTENERS = 2
/** The most connections that one gateway process opens. */
export const CONNECTIONS_OF_PROCESS = CONNECTIONS_MAX + LISTENERS
/**
 * The share of the connections for requests other than decisions and key look-ups. The same number again
 * is for slow organizations and for stops (ADR 24).
 */
const SHARE_OF_REQUESTS = 8 / CONNECTIONS_MAX
/** The share of stops in that second part. A larger pool would not let three gateways fit the usual 100. */
const SHARE_OF_STOPS = 2 / 8
/**
 * Longer than the lock timeout, so that requests behind a waiting one get a turn, and longer than hundreds
 * of requests take on a busy machine. Reaching this limit does not mean that the database is away.
 */
const SHARE_WAIT_MS = 15_000
const CONNECT_TIMEOUT_MS = 5_000
const OLDEST_VERSION = 15

/**
 * Longer than the server's own limit on a statement, so it takes effect only if the server is
 * silent.
 */
const ANSWER_TIMEOUT_MS = 35_000

/**
 * A process that stops in the middle of a transaction (a frozen machine, a debugger) keeps its locks
 * for at most this long. Our statements never follow each other by seconds; if they did, the server
 * would roll back the transaction and the caller would have to retry. The embedded engine needs no such
 * limit: no other process waits there.
 */
const IDLE_LIMIT = "set idle_in_transaction_session_timeout = '5s'"

/** Opens a pool on the server. Throws an error with a message for the operator if it cannot be used. */
export async function openPostgres(settings: PostgresSettings, log: Log): Promise<Database> {
  const { url, name } = nameConnections(settings.url, await countMigrations())
  const connection: PoolConfig = {
    connectionString: url,
    application_name: name,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    pipeline: true,
    types: columnTypes,
  }
  // A connection outside of the pool has few queries, so each may have a timer.
  const alone = { ...connection, query_timeout: ANSWER_TIMEOUT_MS }
  const max = settings.connectionsMax ?? CONNECTIONS_MAX
  const pool = new Pool({
    ...connection,
    max,
    onConnect: async (client) => {
      await client.query(`${SESSION_SETTINGS}; ${IDLE_LIMIT}`)
    },
  })
  const endChecks = cutSilent(pool, ANSWER_TIMEOUT_MS)
  const ofRequests = Math.floor(max * SHARE_OF_REQUESTS)
  const reserved = Math.floor(ofRequests * SHARE_OF_STOPS)
  const numbers = { shared: Math.max(1, ofRequests), own: ofRequests - reserved, reserved }
  let nodes: NodeGuard | undefined
  const shares = createConnectionShares(numbers, SHARE_WAIT_MS, () => nodes)
  const pooled = createPooled(pool, log, {
    shares,
    joinsWrites: true,
    refusals: settings.refusals,
    nodes: () => nodes,
  })
  try {
    await checkServer(pooled, log)
    if (await isDistributed(pooled)) {
      const probe = createProbe(alone)
      nodes = await openNodeGuard({ db: pooled, probe, connectionsMax: max, log })
    }
  } catch (error) {
    endChecks()
    await pool.end()
    throw error
  }
  const endings = new Set<() => Promise<void>>()
  return {
    engine: 'postgres',
    ...pooled,
    ...(nodes && { nodes }),
    listen: async (channel, listener) => {
      const stop = await listenOnPostgres({ connection: alone, channel, listener, log })
      endings.add(stop)
      return async () => {
        endings.delete(stop)
        await stop()
      }
    },
    close: async () => {
      nodes?.stop()
      await Promise.all([...endings].map((stop) => stop()))
      await pool.end()
      endChecks()
    },
  }
}

async function checkServer(db: Queryable, log: Log): Promise<void> {
  const text = `
    select current_setting('server_version_num')::int as version,
           current_setting('server_version') as "versionName",
           current_setting('fsync') as fsync,
           current_setting('synchronous_commit') as "synchronousCommit"`
  const [server] = await db
    .query<{ version: number; versionName: string; fsync: string; synchronousCommit: string }>({
      text,
    })
    .catch((error: unknown) => {
      const what = isFromServer(error) ? 'refused the connection' : 'cannot be reached'
      throw new Error(`PostgreSQL ${what}: ${reasonOf(error)}`, { cause: error })
    })
  if (server === undefined || server.version < OLDEST_VERSION * 10_000) {
    throw new Error(
      `PostgreSQL ${server?.versionName} is too old. Purser needs version ${OLDEST_VERSION} or newer.`,
    )
  }
  const unsafe = { fsync: server.fsync, synchronous_commit: server.synchronousCommit }
  if (Object.values(unsafe).includes('off')) {
    logEvent(log, 'storage.commits_not_synced', unsafe)
  }
}

/** Errors of the server have a SQLSTATE; those of the network have the name of a system call. */
function isFromServer(error: unknown): boolean {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
  const { code } = cause as { readonly code?: unknown }
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)
}

/** The problem holds the driver's message, which is a list if several addresses failed. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
  if (cause instanceof AggregateError) return cause.errors.map(reasonOf).join(', ')
  return cause instanceof Error ? cause.message : String(cause)
}
