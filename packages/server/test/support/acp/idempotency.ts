import { canonicalTextOf } from '@purser/audit'

export interface HttpAnswer {
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** How an answer is delivered: normally, never, or with the connection cut. */
export interface Handled {
  readonly answer: HttpAnswer
  readonly delivery: 'sent' | 'never' | 'cut'
  /** Whether a retry is carried out as if it were the first request. */
  readonly isForgotten?: boolean
}

interface Kept {
  readonly fingerprint: string
  handled: Handled | undefined
}

/**
 * The protocol's rules for an Idempotency-Key: the same body gets the stored answer, a different
 * body is a conflict, a retry has to wait while the first request is in progress, and server errors
 * are not stored.
 */
export function createIdempotency() {
  const kept = new Map<string, Kept>()

  return async (key: string, body: unknown, run: () => Promise<Handled>): Promise<Handled> => {
    const fingerprint = canonicalTextOf(body)
    const first = kept.get(key)
    if (first && first.fingerprint !== fingerprint) return refuse(422, 'idempotency_conflict')
    if (first && !first.handled) return refuse(409, 'idempotency_in_flight')
    if (first?.handled) return replayed(first.handled.answer)
    const entry: Kept = { fingerprint, handled: undefined }
    kept.set(key, entry)
    try {
      entry.handled = await run()
      return entry.handled
    } finally {
      const { handled } = entry
      if (!handled || handled.isForgotten || handled.answer.status >= 500) kept.delete(key)
    }
  }
}

export function sent(status: number, body: unknown, headers?: HttpAnswer['headers']): Handled {
  return { answer: { status, body, ...(headers && { headers }) }, delivery: 'sent' }
}

/** The flat error format of the protocol. */
export function refuse(status: number, code: string, more: object = {}): Handled {
  const type =
    status === 503 ? 'service_unavailable' : status >= 500 ? 'processing_error' : 'invalid_request'
  const headers = status === 409 ? { 'retry-after': '1' } : {}
  return sent(status, { type, code, message: `It was answered ${code}.`, ...more }, headers)
}

function replayed({ status, body, headers }: HttpAnswer): Handled {
  return sent(status, body, { ...headers, 'idempotent-replayed': 'true' })
}
