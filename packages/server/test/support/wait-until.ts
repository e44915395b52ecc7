const TRY_EVERY_MS = 10
const WITHIN_MS = 10_000

/** Waits for a condition that nothing announces. Throws when it does not come true. */
export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  withinMs = WITHIN_MS,
): Promise<void> {
  const deadline = Date.now() + withinMs
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`It did not come true: ${condition}`)
    await new Promise((resolve) => setTimeout(resolve, TRY_EVERY_MS))
  }
}
