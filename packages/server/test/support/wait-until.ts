const TRY_FIRST_AFTER_MS = 5
/** Most conditions query a gateway, which has other work to do. */
const TRY_EVERY_MS = 40
/**
 * The limit is minutes: a busy machine is slow, and that is not a failure. It is less than a test's
 * own timeout, so that this error comes first.
 */
const WITHIN_MS = 180_000

/** Waits for a condition that no event announces. Throws if it does not become true. */
export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  withinMs = WITHIN_MS,
): Promise<void> {
  const deadline = Date.now() + withinMs
  let pauseMs = TRY_FIRST_AFTER_MS
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`It did not come true: ${condition}`)
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
    pauseMs = Math.min(TRY_EVERY_MS, pauseMs * 1.5)
  }
}
