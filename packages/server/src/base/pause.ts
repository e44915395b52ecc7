/** A wait that can be cut short, so that a stopping process need not wait until its end. */
export interface Pause {
  wait(ms: number): Promise<void>
  /** Ends the current waits. Later waits take their full time. */
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
