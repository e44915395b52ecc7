/**
 * Runs a global setup, and prints why it failed. Vitest's own printer fails on such an error
 * ("code.charCodeAt is not a function") and hides it.
 */
export async function printFailure(setUp: () => Promise<void>): Promise<void> {
  try {
    await setUp()
  } catch (error) {
    // Not `stack`: reading it is what fails.
    console.error(`The global setup failed: ${error instanceof Error ? error.message : error}`)
    throw error
  }
}
