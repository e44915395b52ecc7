const TRY_FIRST_AFTER_MS = 5
/** Most conditions are asked of a gateway, which has other work to do. */
const TRY_EVERY_MS = 40
/**
 * Minutes: a busy machine is slow, and that is not a fault. It is less than a test may take, so
 * that this error comes first.
 */
const WITHIN_MS = 180_000

/** Waits for a condition that nothing announces. Throws when it does not come true. */
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
