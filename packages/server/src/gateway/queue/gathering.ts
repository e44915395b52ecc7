/**
 * A caller returns soon if it spends again within this share of the time that its batch took, and
 * within this many milliseconds.
 */
const SOON = { share: 0.5, msMax: 8 }
/** The wait ends after this multiple of that time. */
const PATIENCE = 2
/**
 * The share of callers that must return soon, on average over the last batches. Callers that come
 * independently of the answers reach about a half: in half the time of a batch, half as many come
 * as in the whole.
 */
const RETURNING_MIN = 0.7
/** The weight of the last batch in that average. */
const WEIGHT = 1 / 8

/**
 * Decides whether the next batch waits for the callers of the last one (ADR 69).
 *
 * Programs that spend again as soon as they are answered form two groups otherwise, and each waits
 * for the batch of the other. With a short wait all of them share a batch, for little more than the
 * cost of either. Callers that come independently of the answers gain nothing from a wait, so it
 * begins only while most callers return soon, and never for a caller that is alone.
 */
export interface Gathering {
  /** Whether the next batch must wait. */
  isOn(): boolean
  /** Must be called at the end of each batch, before its callers are answered. */
  begin(batch: { readonly size: number; readonly ms: number }, waiting: number): void
  /** Must be called when the callers of that batch are answered. */
  answered(): void
  /** Must be called for each new job. */
  note(): void
}

/**
 * Waits for at most `callersMax` callers, who must fit into one batch. `onGivenUp` is called if some
 * are still missing when a wait ends.
 */
export function createGathering(callersMax: number, onGivenUp: () => void): Gathering {
  let expected = 0
  let arrived = 0
  let arrivedSoon = 0
  let isCounting = false
  let soonMs = 0
  let soonUntil = 0
  let returning = 0
  let isOn = false
  let timer: NodeJS.Timeout | undefined

  function giveUp(): void {
    isOn = false
    onGivenUp()
  }

  return {
    isOn: () => isOn,
    begin({ size, ms }, waiting) {
      if (expected > 0) returning += WEIGHT * (arrivedSoon / expected - returning)
      const callers = size + waiting
      expected = callers > 1 && callers <= callersMax ? size : 0
      // The jobs that come before the answers are those of others.
      isCounting = false
      if (expected === 0) return
      soonMs = Math.min(SOON.msMax, ms * SOON.share)
      if (returning < RETURNING_MIN) return
      isOn = true
      timer = setTimeout(giveUp, soonMs * PATIENCE)
    },
    answered() {
      arrived = 0
      arrivedSoon = 0
      isCounting = expected > 0
      soonUntil = performance.now() + soonMs
    },
    note() {
      if (!isCounting) return
      arrived += 1
      if (performance.now() <= soonUntil) arrivedSoon += 1
      if (arrived < expected) return
      isCounting = false
      if (!isOn) return
      isOn = false
      clearTimeout(timer)
    },
  }
}
