export interface Part {
  stop(): Promise<void>
}

/** The parts that run, in the order in which they began. */
export interface Lifecycle {
  /** Takes charge of a part that has begun, and gives it back. */
  add<Begun extends Part>(part: Begun): Begun
  /** The same for what has no `stop` of its own. */
  onStop(stop: () => Promise<void>): void
  /** True from the moment `stop` is called. */
  isStopping(): boolean
  /**
   * Stops every part, the last first: a part may rely on those that began before it for as long as it
   * runs. One that fails to stop does not keep the others running; its error is thrown at the end. May
   * be called more than once.
   */
  stop(): Promise<void>
}

/**
 * Begins parts with a lifecycle to add them to. When one of them cannot begin, those before it are
 * stopped, and its error is thrown.
 */
export async function withLifecycle<Started>(
  start: (lifecycle: Lifecycle) => Promise<Started>,
): Promise<Started> {
  const lifecycle = createLifecycle()
  try {
    return await start(lifecycle)
  } catch (error) {
    // What fails now as well mostly follows from the first error, and would only hide it.
    await lifecycle.stop().catch(() => {})
    throw error
  }
}

function createLifecycle(): Lifecycle {
  const stops: (() => Promise<void>)[] = []
  let isStopping = false
  let stopping: Promise<void> | undefined

  async function stopAll(): Promise<void> {
    isStopping = true
    const failures: unknown[] = []
    for (const stop of stops.reverse()) {
      try {
        await stop()
      } catch (error) {
        failures.push(error)
      }
    }
    if (failures.length > 0) throw failures[0]
  }

  return {
    add(part) {
      stops.push(() => part.stop())
      return part
    },
    onStop(stop) {
      stops.push(stop)
    },
    isStopping: () => isStopping,
    stop() {
      stopping ??= stopAll()
      return stopping
    },
  }
}
