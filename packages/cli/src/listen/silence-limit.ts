export interface SilenceLimit {
  /** Ends the connection. */
  readonly signal: AbortSignal
  /** Waits for a step, up to the limit. */
  during<T>(step: Promise<T>): Promise<T>
  /** Returns undefined if something other than silence ended the connection. */
  reason(): string | undefined
  endConnection(): void
}

/**
 * Ends a connection on which nothing arrives. The time counts only while we wait for the gateway: a
 * slow receiver is not a silent gateway.
 */
export function createSilenceLimit(ms: number): SilenceLimit {
  const connection = new AbortController()
  let isBroken = false
  return {
    signal: connection.signal,
    during(step) {
      const timer = setTimeout(() => {
        isBroken = true
        connection.abort()
      }, ms)
      return step.finally(() => clearTimeout(timer))
    },
    reason: () => (isBroken ? `no data for ${ms / 1_000} s` : undefined),
    endConnection: () => connection.abort(),
  }
}
