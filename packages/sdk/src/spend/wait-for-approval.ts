import { PurserError } from '../client/errors.ts'
import { readNumber } from '../client/options.ts'
import { pause, waitBefore } from '../client/retry.ts'
import type { ApprovalsApi } from '../generated/tree.ts'
import type { Approval } from '../generated/types/index.ts'

/** How long to wait for a person. */
export interface ApprovalWaitOptions {
  /**
   * How long to wait for the decision, in milliseconds. Default: 30 minutes, which is also how long
   * a request stays open if its rule says nothing else. On a slow network, the last answer may come
   * up to ten seconds later.
   */
  readonly timeoutMs?: number | undefined
  /** Ends the wait with an error. The request stays open. */
  readonly signal?: AbortSignal | undefined
}

export const APPROVAL_WAIT_MS = 30 * 60_000
/** The gateway answers after 50 seconds at the latest. */
const POLL_SECONDS_MAX = 50
/** How long an answer may take beyond the wait. A connection that is silent for longer is lost. */
const ANSWER_MS_MAX = 10_000
/** The gateway waits in whole seconds, so the rest of the time is a pause. */
const BETWEEN_MS = 500

/**
 * Waits until a person decides, the request expires, or the time is over, over as many requests and
 * connections as it takes. Returns the approval as it was read last: pending if the time was over
 * first. Throws if the gateway refuses, or if the approval could not be read even once.
 */
export async function waitForApproval(
  get: ApprovalsApi['get'],
  id: string,
  { timeoutMs, ...options }: ApprovalWaitOptions = {},
): Promise<Approval> {
  const end = performance.now() + readNumber('timeoutMs', timeoutMs, APPROVAL_WAIT_MS, 0)
  const leftMs = () => Math.max(0, end - performance.now())
  let last: Approval | undefined
  let failures = 0
  for (;;) {
    let pauseMs = BETWEEN_MS
    try {
      const wait = Math.min(Math.floor(leftMs() / 1000), POLL_SECONDS_MAX)
      last = await get(id, { wait }, { ...options, timeoutMs: ANSWER_MS_MAX, retries: 0 })
      if (last.status !== 'pending') return last
      failures = 0
    } catch (error) {
      failures += 1
      pauseMs = pauseAfter(error, failures)
      if (!last && pauseMs >= leftMs()) throw error
    }
    if (last && pauseMs >= leftMs()) return last
    await pause(pauseMs, options.signal)
  }
}

/** Throws the error if a further request cannot help. */
function pauseAfter(error: unknown, failures: number): number {
  if (!PurserError.is(error)) throw error
  // The connection went silent. The next one can be better.
  if (error.code === 'timeout') return BETWEEN_MS
  const pauseMs = waitBefore(failures, error)
  if (pauseMs === Number.POSITIVE_INFINITY) throw error
  return pauseMs
}
