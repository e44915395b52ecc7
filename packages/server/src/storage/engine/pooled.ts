import type { Pool, PoolClient } from 'pg'
import { Problem } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'
import { type ConnectionShares, shareOf, UNDIVIDED } from './connection-shares.ts'
import type { Refusals } from './constraint.ts'
import { createFullDisk, type FullDisk, isOfRead } from './full-disk.ts'
import { createOutage, type Outage } from './outage.ts'
import type { Database, PoolState, Queryable, Session, Statement, Tx } from './queryable.ts'
import { sendAlone } from './send.ts'
import {
  isAnswerOfServer,
  isConnectionFailure,
  toStorageError,
  unavailable,
} from './storage-error.ts'
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
  }: PooledOptions = {},
): Pooled {
  const disk = createFullDisk(log)
  const source = { pool, outage, disk, joinsWrites, refusals }
  // Without these listeners a lost connection would end the process: the pool emits the error of an idle
  // client, and a client in use emits its own. The running statement reports the loss.
  pool.on('error', outage.noteFailure)
  pool.on('connect', (client) => client.on('error', () => {}))

  return {
    query: <Row>(statement: Statement) => {
      const runIt = (lent?: () => void) =>
        withClient(source, async (client) => (await sendAlone<Row>(client, statement)).rows, lent)
      return statement.isUnshared ? runIt() : shares.withShare(shareOf(statement), runIt)
    },
    transaction: (run, afterwards, share) => {
      const runIt = (lent?: () => void) =>
        afterwards
          ? withSession(source, run, afterwards, lent)
          : withClient(source, (client) => runTransaction(source, client, run), lent)
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
  use: (client: PoolClient) => Promise<T>,
  lent?: () => void,
): Promise<T> {
  const client = await lend(source)
  lent?.()
  try {
    const result = await use(client)
    client.release(isInDoubt(client))
    source.outage.noteAnswer()
    return result
  } catch (error) {
    client.release(isConnectionFailure(error) || isInDoubt(client))
    throw noted(source, error)
  }
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
  const session: Session = {
    query: async <Row>(statement: Statement) => (await sendAlone<Row>(client, statement)).rows,
    transaction: (next) => runTransaction(source, client, next),
  }
  let isCommitted = false
  try {
    const result = await runTransaction(source, client, run)
    isCommitted = true
    source.outage.noteAnswer()
    return result
  } catch (error) {
    throw noted(source, error)
  } finally {
    const isDone = await afterwards(session, isCommitted).then(
      () => true,
      () => false,
    )
    client.release(!isDone || isInDoubt(client))
  }
}

/** Begin and commit travel with the neighbouring statements, so they cost no extra round trip. */
async function runTransaction<T>(
  { joinsWrites, refusals }: Source,
  client: PoolClient,
  run: (tx: Tx) => Promise<T>,
): Promise<T> {
  const sent: Promise<unknown>[] = []
  const last: Statement[] = []
  let isOpen = true
  // Statements sent after a failed one fail too, and their errors only say that an earlier one failed. A
  // caller that awaits several at once may see any of these errors first.
  let firstFailure: unknown
  const requireOpen = (): void => {
    // The client may already belong to a different transaction.
    if (!isOpen) throw new Error('The transaction has ended; the statement was not sent.')
  }
  const trips = joinsWrites ? createTrips(client) : undefined
  const { begin, commit } = trips ? PREPARED : PLAIN
  const submit = <Row>(statement: Statement): Promise<Answer<Row>> => {
    requireOpen()
    return trips ? trips.add<Row>(statement) : sendAlone<Row>(client, statement)
  }
  const tx: Tx = {
    isTransaction: true,
    query: async <Row>(statement: Statement) => {
      try {
        return (await submit<Row>(statement)).rows
      } catch (error) {
        firstFailure ??= error
        throw toStorageError(firstFailure, refusals)
      }
    },
    send: (statement) => {
      const answer = submit(statement)
      answer.catch((error: unknown) => {
        firstFailure ??= error
      })
      sent.push(answer)
    },
    sendLast: (statement) => {
      requireOpen()
      last.push(statement)
    },
  }
  tx.send(begin)
  try {
    const result = await run(tx)
    for (const statement of last) tx.send(statement)
    const committed = quietly(submit(commit))
    isOpen = false
    trips?.depart()
    await requireCommit(committed, sent)
    return result
  } catch (error) {
    isOpen = false
    trips?.depart()
    await rollback(client)
    throw error
  }
}

/** Only a prepared statement can be part of a trip. */
const PREPARED = {
  begin: { name: 'begin', text: 'begin' },
  commit: { name: 'commit', text: 'commit' },
}
const PLAIN = { begin: { text: 'begin' }, commit: { text: 'commit' } }

/** Prevents an unhandled rejection: the transaction may end before the promise is awaited. */
function quietly<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {})
  return promise
}

/**
 * Only the server knows the outcome of a commit. Unless it answers, the outcome is unknown, and the
 * caller gets `storage_unavailable`. Postgres answers the commit of a failed transaction with a rollback
 * and no error: a caller that swallowed a statement's failure would think that its work was stored.
 */
async function requireCommit(
  committed: Promise<Answer>,
  sent: readonly Promise<unknown>[],
): Promise<void> {
  // The first failure is the one to report: later ones in the same transaction only repeat it.
  for (const statement of sent) await statement
  const { command } = await committed.catch((error: unknown) => {
    throw isAnswerOfServer(error) ? error : unavailable(error)
  })
  if (command === 'COMMIT') return
  throw new Error('The transaction was rolled back because one of its statements had failed.')
}

/**
 * The rollback is always sent: the driver only knows the transaction's state after the last answer,
 * and `begin` may not have been answered yet. Outside of a transaction a rollback does nothing. If
 * it fails, the connection is gone and the pool drops the client; the caller sees the first error.
 */
async function rollback(client: PoolClient): Promise<void> {
  await sendAlone(client, { text: 'rollback' }).catch(() => {})
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
