export interface SilenceLimit {
  /** Ends the connection. */
  readonly signal: AbortSignal
  /** Waits for a step, but not for longer than the limit. */
  during<T>(step: Promise<T>): Promise<T>
  /** Undefined when it was not the silence that ended the connection. */
  reason(): string | undefined
  endConnection(): void
}

/**
 * Ends a connection on which nothing comes. It counts only while something is waited for: the time
 * that a slow receiver takes is no silence of the gateway.
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
