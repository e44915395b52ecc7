import { WebhookVerificationError } from './error.ts'
import type { WebhookEvent } from './events.ts'
import type { RawBody } from './raw-body.ts'
import type { WebhookHeaders } from './read-header.ts'
import type { WebhookSecret } from './secret-keys.ts'
import { verifyWebhook } from './verify-webhook.ts'

/** The settings of a handler. */
export interface WebhookHandlerOptions {
  /** The webhook secret; during a rotation `[newSecret, oldSecret]`. */
  readonly secret: WebhookSecret
  /**
   * Gets each verified event. The handler answers 204 after it resolves, and 500 if it throws, so
   * that the gateway retries. The gateway waits 5 s: store the event here and process it later. The
   * same event can arrive more than once, so process each `event.id` once.
   */
  readonly onEvent: (event: WebhookEvent) => unknown
  /**
   * Gets the errors of `onEvent` and of refused requests. The responses never contain them. Without
   * it, `console.error` gets the errors that lead to a 500.
   */
  readonly onError?: (error: unknown) => void
  /** The largest body, in bytes. A larger one gets 413. The default is 1,000,000. */
  readonly maxBytes?: number
  /** See `verifyWebhook`. */
  readonly bodyOnly?: boolean
}

const MAX_BYTES = 1_000_000

export const maxBytesOf = ({ maxBytes = MAX_BYTES }: WebhookHandlerOptions): number => maxBytes

/** The status of the response. All responses have an empty body. */
export type WebhookStatus = 204 | 400 | 401 | 405 | 413 | 500

/**
 * Verifies a request, runs `onEvent` and returns the status of the response. It never rejects. A
 * request that does not verify gets 401 whatever the cause, so that an attacker learns nothing.
 */
export async function receive(
  readBody: () => Promise<RawBody | undefined>,
  headers: WebhookHeaders,
  options: WebhookHandlerOptions,
): Promise<WebhookStatus> {
  const { secret, onEvent, bodyOnly = false } = options
  // Two parts, because an error that `onEvent` throws is always a 500, whatever its class.
  let event: WebhookEvent
  try {
    const body = await readBody()
    if (body === undefined) return 413
    event = await verifyWebhook(body, headers, secret, { bodyOnly })
  } catch (error) {
    return report(error, statusOf(error), options)
  }
  try {
    await onEvent(event)
    return 204
  } catch (error) {
    return report(error, 500, options)
  }
}

/** A sender that closed the connection before the body was complete. */
export class UnfinishedBody extends Error {}

function statusOf(error: unknown): WebhookStatus {
  if (error instanceof UnfinishedBody) return 400
  if (!(error instanceof WebhookVerificationError)) return 500
  // Both are mistakes of this program, so the gateway must retry until they are mended.
  return error.code === 'secret_invalid' || error.code === 'body_not_raw' ? 500 : 401
}

/** Returns the status. */
function report(
  error: unknown,
  status: WebhookStatus,
  { onError }: WebhookHandlerOptions,
): WebhookStatus {
  try {
    if (onError) onError(error)
    // biome-ignore lint/suspicious/noConsole: without it, the error of `onEvent` would be lost.
    else if (status === 500) console.error(error)
  } catch {
    // A failing logger must not change the response.
  }
  return status
}
