import { Problem } from '../../base/errors.ts'
import { CLOSED, closedProblemOf } from '../backup/closed-problem.ts'
import { problemOfConstraint, type Refusals } from './constraint.ts'

/** SQLSTATEs of a server that is stopping, gone, starting or full, besides the whole class 08. */
const UNAVAILABLE_STATES = new Set(['57P01', '57P02', '57P03', '53300'])

/** SQLSTATEs of violated constraints start with this. */
const CONSTRAINT_CLASS = '23'

const SQLSTATE = /^[0-9A-Z]{5}$/

/** Codes of Node's sockets and streams. No SQLSTATE begins with E. */
const SOCKET_CODE = /^(E[A-Z]+|ERR_(STREAM|SOCKET|TLS|SSL)_[A-Z_]+)$/

/**
 * Messages of the driver that mean a lost connection. These errors have no code, so only their text
 * identifies them; a test breaks real connections to keep the list complete.
 */
const DRIVER_LOSS =
  /^(Connection terminated|timeout expired|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|Client was closed)/

/** Our own state: a statement was not sent, because the node of its organization does not answer. */
export const NODE_AWAY = 'PNODE'

/** Lock timeout, statement timeout, and a node that does not answer. */
const TIMEOUT_STATES = new Set(['55P03', '57014', NODE_AWAY])

/**
 * Lock timeout, statement timeout, idle transaction, deadlock, read-only server, or no memory left.
 * Nothing was stored, and a retry of the same statement may work shortly.
 */
const BUSY_STATES = new Set([...TIMEOUT_STATES, '25P03', '40P01', '25006', '53200'])

const DISK_FULL = '53100'

/** A deadlock or a serialization failure: the database rolled back this transaction. */
const DEADLOCK_STATES = new Set(['40P01', '40001'])

/** The server ended a statement because of other transactions; the connection stays usable. */
const ENDED_STATES = new Set([...TIMEOUT_STATES, ...DEADLOCK_STATES])

const NO_REFUSALS: Refusals = new Map()

/**
 * Returns the problem to answer with, or the error itself if no caller can act on it. `ofPaths` are the
 * refusals that the payment paths bring.
 */
export function toStorageError(error: unknown, ofPaths: Refusals = NO_REFUSALS): unknown {
  if (error instanceof Problem) return error
  if (isConnectionFailure(error)) return unavailable(error)
  if (propertyOf(error, 'code') === DISK_FULL) return full(error)
  if (propertyOf(error, 'code') === CLOSED) {
    return closedProblemOf(propertyOf(error, 'message') ?? '', error)
  }
  if (BUSY_STATES.has(propertyOf(error, 'code') ?? '')) return busy(error)
  if (!propertyOf(error, 'code')?.startsWith(CONSTRAINT_CLASS)) return error
  const message = propertyOf(error, 'message') ?? ''
  const constraint = propertyOf(error, 'constraint')
  return problemOfConstraint({ constraint, message }, error, ofPaths) ?? error
}

/**
 * True if the connection can no longer be trusted, so that a statement sent over it may or may not
 * have been carried out.
 */
export function isConnectionFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof Problem) {
    return error.code === 'storage_unavailable' && !ENDED_STATES.has(sqlStateOf(error) ?? '')
  }
  const code = propertyOf(error, 'code')
  if (code === undefined) return DRIVER_LOSS.test(error.message)
  return SOCKET_CODE.test(code) || code.startsWith('08') || UNAVAILABLE_STATES.has(code)
}

/** True if the server itself reported the outcome of the statement. */
export function isAnswerOfServer(error: unknown): boolean {
  const code = propertyOf(error, 'code')
  return code !== undefined && SQLSTATE.test(code) && !isConnectionFailure(error)
}

/** True if no part of the transaction can have been stored, so a retry is safe. */
export function isRolledBack(error: unknown): boolean {
  return !isConnectionFailure(reasonOf(error))
}

/** True if the database rolled back the transaction to resolve a deadlock or a conflict. */
export function isDeadlock(error: unknown): boolean {
  return DEADLOCK_STATES.has(propertyOf(reasonOf(error), 'code') ?? '')
}

/** True if a different transaction held a lock for too long. */
export function isLockTimeout(error: unknown): boolean {
  return propertyOf(reasonOf(error), 'code') === '55P03'
}

function reasonOf(error: unknown): unknown {
  return error instanceof Problem ? (error.cause ?? error) : error
}

/**
 * True after a lock timeout or a statement timeout. An immediate retry would wait just as long.
 */
export function hasTimedOut(error: unknown): boolean {
  const reason = error instanceof Problem ? error.cause : error
  return TIMEOUT_STATES.has(propertyOf(reason, 'code') ?? '')
}

/** The server's error code, also if the error has become a Problem. */
export function sqlStateOf(error: unknown): string | undefined {
  return propertyOf(error instanceof Problem ? error.cause : error, 'code')
}

export function busy(cause: unknown): Problem {
  const detail = 'The database was too busy with other requests. Nothing was changed; retry.'
  return new Problem('storage_unavailable', detail, { retryAfterSeconds: 1, cause })
}

function full(cause: unknown): Problem {
  const detail =
    'The disk of the database is full, so the gateway stores nothing until its operator frees space. Nothing was changed; retry later.'
  return new Problem('storage_full', detail, { retryAfterSeconds: 30, cause })
}

/** True if the database could not answer or store; false for refusals by the gateway itself. */
export function isStorageAway(error: unknown): boolean {
  if (!(error instanceof Problem)) return false
  const isFull = error.code === 'storage_full' && error.cause !== undefined
  return error.code === 'storage_unavailable' || isFull
}

export function unavailable(cause: unknown): Problem {
  const detail =
    'The database is unreachable right now. Retry shortly; with an Idempotency-Key the request is executed at most once.'
  return new Problem('storage_unavailable', detail, { retryAfterSeconds: 1, cause, isTold: true })
}

function propertyOf(error: unknown, name: string): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  const value: unknown = Reflect.get(error, name)
  return typeof value === 'string' ? value : undefined
}

const INSUFFICIENT_PRIVILEGE = '42501'

/** Says what to grant if the database refused because of missing rights; otherwise the error itself. */
export function explainMissingRights(error: unknown, databaseUrl: string | undefined): unknown {
  const reason = findRefusal(error)
  if (reason === undefined || databaseUrl === undefined) return error
  const { username, pathname } = new URL(databaseUrl)
  const role = decodeURIComponent(username) || 'the role'
  const database = decodeURIComponent(pathname.slice(1)) || role
  return new Error(
    `The database role ${role} lacks the rights that Purser needs: ${reason}. As an administrator, make it the owner of the database:  alter database "${database}" owner to "${role}";  or, if another role owns the tables:  grant all on schema public to "${role}"; grant all on all tables in schema public to "${role}";`,
    { cause: error },
  )
}

/** The database's own words; a migration wraps them. */
function findRefusal(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if (sqlStateOf(error) === INSUFFICIENT_PRIVILEGE) return error.message
  return findRefusal(error.cause)
}
