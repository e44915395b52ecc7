/**
 * The longest that one answer takes. nginx gives up on a gateway after 60 seconds of silence, answers
 * 502 and sends it nothing for a while, so an answer that keeps its caller waiting comes well before.
 */
export const ANSWER_WITHIN_MS = 50_000

/** How long a request that asks to wait is kept waiting. A longer wait stays valid and ends early. */
export function toWaitMs(seconds: number): number {
  return Math.min(seconds * 1_000, ANSWER_WITHIN_MS)
}
