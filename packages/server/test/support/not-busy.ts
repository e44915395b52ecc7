import { setTimeout as sleep } from 'node:timers/promises'
import type { CallAnswer } from './caller.ts'

const TRIES_MAX = 30
const PAUSE_MS = 1_000

/**
 * Asks again while a gateway says that the database is too busy and that nothing was changed, as it
 * may when a machine stands still for seconds. A test that counts money afterwards holds it to that.
 */
export async function untilNotBusy(ask: () => Promise<CallAnswer>): Promise<CallAnswer> {
  for (let tries = 1; ; tries += 1) {
    const answer = await ask()
    if (tries === TRIES_MAX || !isBusy(answer)) return answer
    await sleep(PAUSE_MS)
  }
}

function isBusy({ status, text }: CallAnswer): boolean {
  return status === 503 && text.includes('Nothing was changed; try again.')
}
