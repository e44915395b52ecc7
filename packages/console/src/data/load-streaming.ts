import type { Purser } from '@purser/sdk'
import { pause } from './pause.ts'

const RETRIES = 3
const FIRST_DELAY_MS = 300

/**
 * Loads the client with backtests and exports that report their progress. The SDK retries a request
 * that fails, and so does this for the code of the client, which the gateway serves too.
 */
export async function loadStreaming(signal: AbortSignal): Promise<Purser> {
  for (let retries = 0; ; retries += 1) {
    try {
      const { streaming } = await import('./streaming-client.ts')
      return streaming
    } catch (error) {
      if (retries === RETRIES || signal.aborted) throw error
      await pause(FIRST_DELAY_MS * 2 ** retries, signal)
    }
  }
}
