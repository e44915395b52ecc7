import { GATEWAY_EVENTS } from './gateway.ts'
import { HTTP_EVENTS } from './http.ts'
import { MESSAGE_EVENTS } from './messages.ts'
import { PROCESS_EVENTS } from './process.ts'
import { STORAGE_EVENTS } from './storage.ts'
import { UPKEEP_EVENTS } from './upkeep.ts'
import { WEBHOOK_EVENTS } from './webhooks.ts'
import { WORKER_EVENTS } from './workers.ts'

/**
 * The log events that do not belong to a single payment path. A path defines its own in the same
 * way. `docs/log-events.md` is generated from all of them.
 */
export const LOG_EVENTS = {
  ...PROCESS_EVENTS,
  ...HTTP_EVENTS,
  ...STORAGE_EVENTS,
  ...GATEWAY_EVENTS,
  ...WORKER_EVENTS,
  ...WEBHOOK_EVENTS,
  ...MESSAGE_EVENTS,
  ...UPKEEP_EVENTS,
}

export type LogEventCode = keyof typeof LOG_EVENTS
