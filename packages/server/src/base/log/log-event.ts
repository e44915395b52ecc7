import { Problem } from '../errors.ts'
import type { Log, LogMessage } from '../log.ts'
import type { LogEvent } from './define-events.ts'
import { LOG_EVENTS, type LogEventCode } from './events/index.ts'

/**
 * Writes one line of the operator's log: the only way to write one. A payment path passes an event
 * of its own catalogue; every other part names one of `LOG_EVENTS`.
 *
 * @example logEvent(log, 'analytics.scan_failed', { err })
 */
export function logEvent(log: Log, event: LogEventCode | LogEvent, fields: object = {}): void {
  if ('err' in fields && isOfClosedStore(fields.err)) return
  const { code, level, message } = typeof event === 'string' ? LOG_EVENTS[event] : event
  // Only declared events get here, which the type stands for.
  const sentence = fillIn(message, fields) as LogMessage
  log[level]({ event: code, ...fields }, sentence)
}

/**
 * While a store is closed, every worker that finds work fails. The line that says so once is enough,
 * so their failures are not logged.
 */
function isOfClosedStore(err: unknown): boolean {
  return err instanceof Problem && (err.code === 'store_restored' || err.code === 'store_moved')
}

/** Replaces the placeholders of the message with the values of the fields. */
export function fillIn(message: string, fields: object): string {
  if (!message.includes('{')) return message
  const values = new Map<string, unknown>(Object.entries(fields))
  return message.replace(/\{(\w+)\}/g, (_, name: string) => String(values.get(name)))
}
