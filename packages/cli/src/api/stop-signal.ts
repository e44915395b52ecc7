/** A signal that Ctrl-C aborts. `end` stops listening for it. */
export function createStopSignal(): { readonly signal: AbortSignal; end(): void } {
  const stop = new AbortController()
  const abort = (): void => stop.abort()
  const signals = ['SIGINT', 'SIGTERM'] as const
  // Handle only the first signal: a second one gets Node's default handling and ends the process
  // at once.
  for (const signal of signals) process.once(signal, abort)
  // Stop if the reader of the lines has closed the pipe, as `head` does.
  process.stdout.on('error', abort)
  return {
    signal: stop.signal,
    end: () => {
      for (const signal of signals) process.off(signal, abort)
      process.stdout.off('error', abort)
    },
  }
}
