import type { PoolClient } from 'pg'
import type { NodeUse } from '../distributed/node-use.ts'
import type { Refusals } from './constraint.ts'
import type { Statement, Tx } from './queryable.ts'
import { sendAlone } from './send.ts'
import { isAnswerOfServer, toStorageError, unavailable } from './storage-error.ts'
import type { Answer } from './trip.ts'
import { createTrips } from './trips.ts'

interface TransactionSettings {
  /** Whether statements that are sent together are one trip (trip.ts). */
  readonly joinsWrites: boolean
  /** The refusals of the payment paths. */
  readonly refusals: Refusals | undefined
}

/** Begin and commit travel with the neighbouring statements, so they cost no extra round trip. */
export async function runTransaction<T>(
  { joinsWrites, refusals }: TransactionSettings,
  client: PoolClient,
  run: (tx: Tx) => Promise<T>,
  use?: NodeUse,
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
  // A statement that was not sent leaves the transaction whole for the server, which would commit it.
  let refusal: unknown
  const submit = <Row>(statement: Statement): Promise<Answer<Row>> => {
    requireOpen()
    if (use === undefined) return send<Row>(statement)
    try {
      return use.watch(statement, send<Row>)
    } catch (error) {
      refusal ??= error
      throw error
    }
  }
  const send = <Row>(statement: Statement): Promise<Answer<Row>> =>
    trips ? trips.add<Row>(statement) : sendAlone<Row>(client, statement)
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
    if (refusal !== undefined) throw refusal
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
