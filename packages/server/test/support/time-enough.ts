/**
 * Retries with longer and longer deadlines until one is long enough for the steps before it:
 * `attempt` returns undefined if it was not. So a test can be quick, and a busy machine only makes
 * it slow.
 */
export async function withTimeEnough<T>(
  attempt: (withinMs: number) => Promise<T | undefined>,
): Promise<T> {
  for (let withinMs = 500; withinMs <= 120_000; withinMs *= 2) {
    const result = await attempt(withinMs)
    if (result !== undefined) return result
  }
  throw new Error('Two minutes were not enough.')
}
