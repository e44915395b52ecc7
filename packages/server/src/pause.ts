/** Waiting that can be cut short, so that a process that stops need not wait it out. */
export interface Pause {
  wait(ms: number): Promise<void>
  /** Ends what is being waited for; what is waited for afterwards takes its time. */
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
