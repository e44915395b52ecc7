import { Client, type Pool, type PoolClient } from 'pg'
import { Problem } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'
import type { NodeGuard } from '../distributed/node-guard.ts'
import type { NodeUse } from '../distributed/node-use.ts'
import { type ConnectionShares, shareOf, UNDIVIDED } from './connection-shares.ts'
import type { Refusals } from './constraint.ts'
import { createFullDisk, type FullDisk, isOfRead } from './full-disk.ts'
import { createOutage, type Outage } from './outage.ts'
import type { Database, PoolState, Queryable, Session, Statement, Tx } from './queryable.ts'
import { runTransaction } from './run-transaction.ts'
import { sendAlone } from './send.ts'
import { isConnectionFailure, toStorageError, unavailable } from './storage-error.ts'
import type { Answer } from './trip.ts'
import { createTrips } from './trips.ts'

const READY_WITHIN_MS = 2_000

/**
 * Both engines set this on every connection. Columns are read as text, so the text must not depend
 * on the server's configuration. The timeouts keep one stuck statement from holding budgets forever.
 * JIT is off because our statements are short and repeated: compiling one takes seconds while running
 * it takes milliseconds, and the server compiles whenever it misjudges a partitioned table.
 */
export const SESSION_SETTINGS = `
  set timezone = 'UTC';
  set datestyle = 'ISO';
  set bytea_output = 'hex';
  set statement_timeout = '30s';
  set lock_timeout = '10s';
  set jit = off`

/** The connections, and the logs of their failures. */
interface Source {
  readonly pool: Pool
  readonly outage: Outage
  readonly disk: FullDisk
  readonly joinsWrites: boolean
  readonly refusals: Refusals | undefined
  readonly nodes: () => NodeGuard | undefined
}

interface PooledOptions {
  readonly shares?: ConnectionShares
  readonly outage?: Outage
  /**
   * Whether statements that a transaction sends together are one trip (trip.ts). An engine in this
   * process would run all of them in one go and block everything else, so the embedded engine leaves
   * this off.
   */
  readonly joinsWrites?: boolean
  /** The refusals of the payment paths. */
  readonly refusals?: Refusals | undefined
  /** The guard of the nodes, once it is known that the store is distributed. */
  readonly nodes?: () => NodeGuard | undefined
}

interface Pooled extends Queryable, Pick<Database, 'transaction'> {
  isReady(): Promise<boolean>
  isFull(): boolean
  connections(): PoolState
}

/**
 * Queries and transactions over a pool of the driver; the same for both engines. With `shares`,
 * organizations share the connections for requests (connection-shares.ts).
 */
export function createPooled(
  pool: Pool,
  log: Log,
  {
    shares = UNDIVIDED,
    outage = createOutage(log),
    joinsWrites = false,
    refusals,
    nodes = () => undefined,
  }: PooledOptions = {},
): Pooled {
  const disk = createFullDisk(log)
  const source = { pool, outage, disk, joinsWrites, refusals, nodes }
  // Without these listeners a lost connection would end the process: the pool emits the error of an idle
  // client, and a client in use emits its own. The running statement reports the loss.
  pool.on('error', outage.noteFailure)
  pool.on('connect', (client) => client.on('error', () => {}))

  return {
    query: <Row>(statement: Statement) => {
      const refusal = nodes()?.refusal(statement)
      if (refusal) return Promise.reject(refusal)
      const send = async (client: PoolClient, use: NodeUse | undefined): Promise<Row[]> =>
        (await sendWatched<Row>(client, statement, use)).rows
      const runIt = (lent?: () => void) => withClient(source, send, lent)
      return statement.isUnshared ? runIt() : shares.withShare(shareOf(statement), runIt)
    },
    transaction: (run, afterwards, share) => {
      const runIt = (lent?: () => void) =>
        afterwards
          ? withSession(source, run, afterwards, lent)
          : withClient(source, (client, use) => runTransaction(source, client, run, use), lent)
      return share === undefined ? runIt() : shares.withShare(share, runIt)
    },
    isReady: () => isAnswering(source),
    isFull: disk.isFull,
    connections: () => ({
      max: pool.options.max,
      busy: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount + shares.waiting(),
    }),
  }
}

/**
 * Lends a client. The client returns to the pool unless its connection is in doubt: the driver's
 * own `pool.query` would discard it after any error, such as a violated constraint.
 */
async function withClient<T>(
  source: Source,
  run: (client: PoolClient, use: NodeUse | undefined) => Promise<T>,
  lent?: () => void,
): Promise<T> {
  const client = await lend(source)
  lent?.()
  const use = source.nodes()?.begin(() => cut(client))
  try {
    const result = await run(client, use)
    client.release(isInDoubt(client))
    source.outage.noteAnswer()
    return result
  } catch (error) {
    client.release(isConnectionFailure(error) || isInDoubt(client))
    throw noted(source, use ? use.explain(error) : error)
  } finally {
    use?.end()
  }
}

/** Ends a connection at once. The driver's own `end` waits for the answers of pipelined statements. */
function cut(client: PoolClient): void {
  if (client instanceof Client) client.connection.stream.destroy()
}

function sendWatched<Row>(
  client: PoolClient,
  statement: Statement,
  use: NodeUse | undefined,
): Promise<Answer<Row>> {
  if (use === undefined) return sendAlone<Row>(client, statement)
  return use.watch(statement, (watched) => sendAlone<Row>(client, watched))
}

function lend({ pool, outage }: Source): Promise<PoolClient> {
  return pool.connect().catch((error: unknown) => {
    outage.noteFailure(error)
    throw unavailable(error)
  })
}

/** Returns the error for the caller, and logs it only if the connection failed or the disk is full. */
function noted({ outage, disk, refusals }: Source, error: unknown): unknown {
  const storageError = toStorageError(error, refusals)
  if (storageError instanceof Problem && storageError.code === 'storage_full') {
    if (!isOfRead(storageError.cause)) disk.note(storageError.cause)
  }
  if (storageError instanceof Problem && storageError.isTold) {
    outage.noteFailure(storageError.cause)
  }
  return storageError
}

/** A client that is still inside a transaction must not be lent again. */
function isInDoubt(client: PoolClient): boolean {
  return client.getTransactionStatus() !== 'I'
}

/**
 * Like withClient, and runs `afterwards` on the connection once the transaction has ended. If that fails,
 * the connection is dropped together with its locks; the outcome of the transaction stays the same.
 */
async function withSession<T>(
  source: Source,
  run: (tx: Tx) => Promise<T>,
  afterwards: (session: Session, isCommitted: boolean) => Promise<void>,
  lent?: () => void,
): Promise<T> {
  const client = await lend(source)
  lent?.()
  const use = source.nodes()?.begin(() => cut(client))
  // As a trip, so that a prepared statement is not described each time.
  const trips = source.joinsWrites ? createTrips(client) : undefined
  const session: Session = {
    query: async <Row>(statement: Statement) =>
      (await (trips?.add<Row>(statement) ?? sendAlone<Row>(client, statement))).rows,
    transaction: (next) => runTransaction(source, client, next),
  }
  let isCommitted = false
  try {
    const result = await runTransaction(source, client, run, use)
    isCommitted = true
    source.outage.noteAnswer()
    return result
  } catch (error) {
    throw noted(source, use ? use.explain(error) : error)
  } finally {
    use?.end()
    const isDone = await afterwards(session, isCommitted).then(
      () => true,
      () => false,
    )
    client.release(!isDone || isInDoubt(client))
  }
}

async function isAnswering(source: Source): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), READY_WITHIN_MS)
  })
  const answer = withClient(source, (client) => sendAlone(client, { text: 'select 1' })).then(
    () => true,
    () => false,
  )
  const isReady = await Promise.race([answer, tooLate])
  clearTimeout(timer)
  return isReady
}
