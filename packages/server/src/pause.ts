/** A wait that can be cut short, so that a process that stops need not sit it out. */
export interface Pause {
  wait(ms: number): Promise<void>
  /** Ends the present waits. Later waits take their full time. */
  end(): void
}

export function createPause(): Pause {
  const ends = new Set<() => void>()
  return {
    wait: (ms) =>
      new Promise((resolve) => {
        const timer = setTimeout(finish, ms)
        function finish(): void {
          clearTimeout(timer)
          ends.delete(finish)
          resolve()
        }
        ends.add(finish)
      }),
    end() {
      for (const finish of ends) finish()
    },
  }
}
