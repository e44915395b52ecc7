import type { Instant } from '../../../core/time/instant.ts'
import { fingerprintOf } from './fingerprint.ts'
import {
  entriesOf,
  type Fields,
  fieldsOf,
  isFields,
  readCode,
  readDocument,
  readId,
  readText,
  readUrl,
} from './merchant-text.ts'
import { readLines } from './session-lines.ts'
import { readMoney } from './session-money.ts'
import type { ReadHandlers, Session, SessionOrder, SessionStatus, Unreadable } from './version.ts'

const MESSAGES_MAX = 100
const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/i

const STATUSES: ReadonlyMap<unknown, SessionStatus> = new Map([
  ['incomplete', 'not_ready'],
  ['not_ready_for_payment', 'not_ready'],
  ['ready_for_payment', 'ready_for_payment'],
  ['authentication_required', 'authentication_required'],
  ['requires_escalation', 'requires_escalation'],
  ['in_progress', 'in_progress'],
  ['complete_in_progress', 'in_progress'],
  ['pending_approval', 'in_progress'],
  ['completed', 'completed'],
  ['canceled', 'canceled'],
  ['expired', 'expired'],
])

/**
 * Reads a session in the form that all versions share. Reads strictly everything that decides about
 * money, and leaves out other fields that are invalid. The versions differ in the ways to pay.
 */
export function readSession(
  body: unknown,
  handlersOf: (session: Fields) => ReadHandlers,
): Session | Unreadable {
  if (!isFields(body)) return { unreadable: 'It is not a JSON object.' }
  const id = readId(body['id'])
  if (id === null) return { unreadable: 'It has no id.' }
  const money = readMoney(body)
  if ('unreadable' in money) return money
  const lines = readLines(body['line_items'], money.currency)
  if (lines === null) return { unreadable: 'A line item lacks its product or its quantity.' }
  const { handlers, isWithoutHandlers } = handlersOf(body)
  const messages = entriesOf(body['messages'], MESSAGES_MAX).map(fieldsOf)
  return {
    id,
    status: readStatus(body),
    ...money,
    lines,
    handlers,
    isWithoutHandlers,
    expiresAt: earliestOf([body['expires_at'], body['quote_expires_at']]),
    continueUrl: readUrl(body['continue_url']),
    authentication: readDocument(body['authentication_metadata']),
    order: readOrder(fieldsOf(body['order'])),
    errors: messages.filter(isError).map(({ code }) => readCode(code) ?? 'unknown_error'),
    hasPriceChange: messages.some(({ code }) => code === 'price_change'),
    fingerprint: fingerprintOf(money, lines, handlers, body),
  }
}

/**
 * Treats an unknown status as in progress: neither allows a payment, and neither proves that none
 * was made.
 */
export function readStatus(session: Fields): SessionStatus {
  return STATUSES.get(session['status']) ?? 'in_progress'
}

function isError({ type }: Fields): boolean {
  return type === 'error'
}

function earliestOf(times: readonly unknown[]): Instant | null {
  const instants = times.flatMap((time) => {
    const instant = typeof time === 'string' && RFC_3339.test(time) ? Date.parse(time) : Number.NaN
    return Number.isNaN(instant) ? [] : [instant]
  })
  return instants.length > 0 ? Math.min(...instants) : null
}

function readOrder(order: Fields): SessionOrder | null {
  const id = readId(order['id'])
  if (id === null) return null
  return { id, permalinkUrl: readUrl(order['permalink_url']), status: readText(order['status']) }
}
