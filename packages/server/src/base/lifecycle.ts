export interface Part {
  stop(): Promise<void>
}

/** The running parts, in the order in which they started. */
export interface Lifecycle {
  /** Takes charge of a part that has started, and returns it. */
  add<Begun extends Part>(part: Begun): Begun
  /** Does the same for a part that has no `stop` of its own. */
  onStop(stop: () => Promise<void>): void
  /**
   * Stops every part, the last one first: as long as a part runs, it may rely on those that started
   * before it. A part that fails to stop does not keep the others running; its error is thrown at
   * the end. May be called more than once.
   */
  stop(): Promise<void>
}

/**
 * Starts parts, which add themselves to the lifecycle. If one of them cannot start, the earlier
 * ones are stopped, and its error is thrown.
 */
export async function withLifecycle<Started>(
  start: (lifecycle: Lifecycle) => Promise<Started>,
): Promise<Started> {
  const lifecycle = createLifecycle()
  try {
    return await start(lifecycle)
  } catch (error) {
    // A second failure here mostly follows from the first error, and would only hide it.
    await lifecycle.stop().catch(() => {})
    throw error
  }
}

function createLifecycle(): Lifecycle {
  const stops: (() => Promise<void>)[] = []
  let stopping: Promise<void> | undefined

  async function stopAll(): Promise<void> {
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
    stop() {
      stopping ??= stopAll()
      return stopping
    },
  }
}
