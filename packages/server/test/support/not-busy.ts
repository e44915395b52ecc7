import type { CallAnswer } from './caller.ts'
import { waitUntil } from './wait-until.ts'

/** Less than a watcher waits for the next step of a load. */
const WITHIN_MS = 120_000

/**
 * Retries while a gateway answers that the database is too busy and that nothing was changed, which
 * can happen if a machine stalls for seconds. A test that counts money afterwards verifies that
 * claim.
 */
export async function untilNotBusy(ask: () => Promise<CallAnswer>): Promise<CallAnswer> {
  let answer = await ask()
  await waitUntil(async () => {
    if (isBusy(answer)) answer = await ask()
    return !isBusy(answer)
  }, WITHIN_MS)
  return answer
}

function isBusy({ status, text }: CallAnswer): boolean {
  return status === 503 && text.includes('Nothing was changed; retry.')
}
