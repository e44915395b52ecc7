import type { OrganizationNodes } from '../distributed/organization-nodes.ts'
import type { Share, Stop } from './connection-places.ts'

/**
 * One SQL statement. A `name` makes it a prepared statement of the connection: the same name must
 * always carry the same text.
 *
 * Parameters are sent as text and the statement gives them their types. Pass an instant as an ISO
 * string, a jsonb value as JSON text (the driver would take an array for a Postgres array, and
 * stringify an object), a bigint as a bigint, and an array as an array.
 */
export interface Statement {
  readonly name?: string
  readonly text: string
  readonly values?: readonly unknown[]
  /** How long to wait for the answer. Only migrations need more than the default. */
  readonly timeoutMs?: number
  /**
   * Does not wait for a share of the connections (connection-shares.ts). It is for the first statement
   * of every request, which must not wait for requests that got further. The caller bounds how many run.
   */
  readonly isUnshared?: true
}

/** The pool or an open transaction, so that every storage function can join a transaction. */
export interface Queryable {
  query<Row = Record<string, unknown>>(statement: Statement): Promise<Row[]>
}

/**
 * An open transaction. A statement may be sent without waiting for the one before: statements are
 * pipelined on one connection and run in the order of the calls.
 */
export interface Tx extends Queryable {
  readonly isTransaction: true
  /**
   * Sends a statement without returning its rows or waiting for it: the commit follows in the same
   * round trip. If the statement fails, the transaction fails with its error.
   */
  send(statement: Statement): void
  /**
   * Like `send`, but after all other statements of the transaction. It is for a row that every other
   * transaction waits for, whose lock must be taken last.
   */
  sendLast(statement: Statement): void
}

/** A connection for exclusive use. */
export interface Session extends Queryable {
  transaction<T>(run: (tx: Tx) => Promise<T>): Promise<T>
}

export interface Listener {
  onMessage(payload: string): void
  /** Messages may have been missed: read again everything that they would have announced. */
  onGap(): void
}

/** How many connections the pool has, and how many callers wait for one. */
export interface PoolState {
  readonly max: number
  readonly busy: number
  readonly idle: number
  readonly waiting: number
}

export interface Database extends Queryable {
  readonly engine: 'embedded' | 'postgres'
  /**
   * Begins, runs and commits, or rolls back if `run` throws. When this resolves, the transaction is
   * committed and on disk. When it rejects with `storage_unavailable`, the outcome is unknown. Use
   * only `tx` inside `run`: the embedded engine has one connection, so a query on the database
   * itself would wait for the transaction that waits for it.
   */
  transaction<T>(
    run: (tx: Tx) => Promise<T>,
    /**
     * Runs on the same connection once the transaction has ended, before the connection is lent again and
     * before the caller continues: for locks that outlive the transaction. If it throws, the connection
     * is dropped.
     */
    afterwards?: (session: Session, isCommitted: boolean) => Promise<void>,
    /**
     * See transactionFor. Omit for callers with their own concurrency limit, such as the gateway's lanes.
     */
    share?: Share,
  ): Promise<T>
  /** Resolves once the listener is active. The returned function stops it. */
  listen(channel: string, listener: Listener): Promise<() => Promise<void>>
  isReady(): Promise<boolean>
  /**
   * Throws `storage_full` if there is too little room for new rows. Only the embedded engine has it: a
   * PostgreSQL server watches its own disk.
   */
  requireRoom?(): void
  /** Whether new rows cannot be stored, because the disk is full or nearly full. */
  isFull?(): boolean
  /** Only a distributed store has nodes (ADR 65). */
  readonly nodes?: OrganizationNodes
  /** The state of the pool, for metrics. */
  connections?(): PoolState
  /**
   * Copies the files of the embedded engine into a new folder, as they are between two transactions.
   * Returns how long other statements waited for it, in milliseconds.
   */
  copyFiles?(folder: string): Promise<number>
  /** Resolves with the reason if the embedded engine dies. PostgreSQL has no such promise. */
  readonly died?: Promise<Error>
  close(): Promise<void>
}

/** Runs a transaction for a request of this organization, within its share of the connections. */
export function transactionFor<T>(
  db: Pick<Database, 'transaction'>,
  organizationId: string,
  run: (tx: Tx) => Promise<T>,
  /** Set if the request is a stop. */
  stop?: Stop,
): Promise<T> {
  return db.transaction(run, undefined, { organizationId, stop })
}

/**
 * For background work: the transaction gives up a lock after 250 ms, and the next round tries again.
 * A decision never waits for a sweeper that waits for another transaction.
 */
export function waitBriefly(): Statement {
  return { text: `set local lock_timeout = '250ms'` }
}

/** Removes a bounded number of expired rows, and returns how many. */
export type Remover = (db: Database, now: number) => Promise<number>
