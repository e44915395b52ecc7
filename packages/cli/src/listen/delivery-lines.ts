import type { StreamedEvent } from '@purser/sdk'
import { print, printJson } from '../output/print.ts'
import { EVENT_KINDS } from './event-kinds.ts'
import type { PostResult } from './post-event.ts'

/** The lines of `purser listen` on standard output. */
interface DeliveryLines {
  printSecret(secret: string): void
  printEvent(at: Date, event: StreamedEvent, result: PostResult): void
}

/** Formats the lines for a person, or each as a JSON object for a program. */
export function createDeliveryLines(isJson: boolean): DeliveryLines {
  if (isJson) {
    return {
      printSecret: (secret) => printJson({ secret }),
      printEvent: (at, event, result) => printJson({ event, attempt: toAttempt(at, result) }),
    }
  }
  return {
    printSecret: (secret) => print(`Signing with a secret for this session: ${secret}`),
    printEvent: (at, event, result) => print(toLine(at, event, result)),
  }
}

/** Only 2xx acknowledges an event. */
export function isDelivered(result: PostResult): boolean {
  return result.kind === 'answer' && result.status >= 200 && result.status < 300
}

/** The fields have the names of an attempt in `GET /webhooks/deliveries/:id`. */
function toAttempt(at: Date, result: PostResult) {
  return {
    outcome: isDelivered(result) ? 'succeeded' : 'failed',
    startedAt: at.toISOString(),
    durationMs: result.durationMs,
    error: isDelivered(result) ? null : { message: failureOf(result) },
    response: result.kind === 'answer' ? { status: result.status } : null,
  }
}

function failureOf(result: PostResult): string {
  return result.kind === 'answer' ? `answered ${result.status}` : result.reason
}

const KIND_WIDTH = Math.max(...EVENT_KINDS.map((kind) => kind.length))

function toLine(at: Date, { event, id }: StreamedEvent, result: PostResult): string {
  const time = at.toTimeString().slice(0, 8)
  const isAnswer = result.kind === 'answer'
  const outcome = isAnswer && isDelivered(result) ? result.status : `failed: ${failureOf(result)}`
  return `${time}  ${event.padEnd(KIND_WIDTH)}  ${id}  ${outcome}  ${result.durationMs} ms`
}
