import type { StandIn } from './server.ts'

/** The receiver of webhooks. It answers 200, unless it was asked to fail. */
export interface ReceiverStandIn {
  readonly answer: StandIn
  /** Fails the next new event this often; later attempts of the same event succeed. */
  failNext(times: number): void
  /** The events that it has received or failed, in the order of their first attempts. */
  readonly seen: readonly string[]
}

export function createReceiver(): ReceiverStandIn {
  const left = new Map<string, number>()
  const seen: string[] = []
  let planned = 0
  return {
    seen,
    failNext(times) {
      planned = times
    },
    answer({ headers }) {
      const id = String(headers['webhook-id'])
      if (!seen.includes(id)) {
        seen.push(id)
        left.set(id, planned)
        planned = 0
      }
      const failures = left.get(id) ?? 0
      left.set(id, failures - 1)
      return failures > 0
        ? { status: 503, body: { error: 'The bookkeeping service is restarting.' } }
        : { status: 200, body: { received: true } }
    },
  }
}
