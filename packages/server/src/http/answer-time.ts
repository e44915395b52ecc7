/**
 * The longest time for one answer. nginx gives up on a gateway after 60 seconds of silence, answers
 * 502 and sends it nothing for a while. So an answer that keeps its caller waiting ends well before
 * that.
 */
export const ANSWER_WITHIN_MS = 50_000

/** How long a waiting request is held. A longer requested wait stays valid and ends early. */
export function toWaitMs(seconds: number): number {
  return Math.min(seconds * 1_000, ANSWER_WITHIN_MS)
}
