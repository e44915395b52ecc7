export interface SilenceLimit {
  /** Ends the connection. */
  readonly signal: AbortSignal
  /** Waits for a step, but no longer than the limit. */
  during<T>(step: Promise<T>): Promise<T>
  /** Undefined if something other than silence ended the connection. */
  reason(): string | undefined
  endConnection(): void
}

/**
 * Ends a connection on which nothing arrives. It counts only while we wait for the gateway: the
 * time that a slow receiver takes is not the gateway's silence.
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
    reason: () => (isBroken ? `nothing came for ${ms / 1_000} s` : undefined),
    endConnection: () => connection.abort(),
  }
}
