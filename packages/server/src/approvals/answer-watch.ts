import type { Instant } from '../core/time/instant.ts'
import { listAnswered } from '../storage/approvals/approvals.ts'
import type { Database } from '../storage/engine/database.ts'

/**
 * How often the watch checks approvals that callers wait for, so that a decision stored by a
 * different process arrives within a second.
 */
const LOOK_MS = 500

/** Tells waiting callers that an approval was decided or has expired. */
export interface AnswerWatch {
  /** Resolves when the approval is no longer pending, or when the signal aborts. */
  wait(organizationId: string, id: string, signal: AbortSignal): Promise<void>
  /** Checks at once, because this process has stored a decision. */
  look(organizationId: string): void
  stop(): void
}

interface WatchParts {
  readonly db: Database
  readonly now: () => Instant
}

/**
 * Checks in rounds, and only while callers wait: one query per organization, however many callers
 * wait. No round waits for the query of one organization, so a slow one does not delay the others.
 */
export function createAnswerWatch({ db, now }: WatchParts): AnswerWatch {
  const waiting = new Map<string, Map<string, Set<() => void>>>()
  const underWay = new Set<string>()
  let timer: NodeJS.Timeout | undefined

  async function lookAt(organizationId: string): Promise<void> {
    const ids = [...(waiting.get(organizationId)?.keys() ?? [])]
    if (ids.length === 0) return
    for (const id of await listAnswered(db, organizationId, ids, now())) {
      for (const tell of waiting.get(organizationId)?.get(id) ?? []) tell()
    }
  }

  function lookInRound(organizationId: string): void {
    if (underWay.has(organizationId)) return
    underWay.add(organizationId)
    const end = (): void => void underWay.delete(organizationId)
    lookAt(organizationId).then(end, end)
  }

  /**
   * If a check fails, the next round checks again: the caller learns the result later, and sees no
   * error.
   */
  function lookNow(organizationId: string): void {
    lookAt(organizationId).catch(() => {})
  }

  function plan(): void {
    if (timer !== undefined || waiting.size === 0) return
    timer = setTimeout(() => {
      timer = undefined
      for (const organizationId of waiting.keys()) lookInRound(organizationId)
      plan()
    }, LOOK_MS)
    timer.unref()
  }

  function forget(organizationId: string, id: string, tell: () => void): void {
    const own = waiting.get(organizationId)
    const told = own?.get(id)
    told?.delete(tell)
    if (told?.size === 0) own?.delete(id)
    if (own?.size === 0) waiting.delete(organizationId)
  }

  return {
    wait(organizationId, id, signal) {
      if (signal.aborted) return Promise.resolve()
      return new Promise((resolve) => {
        const tell = (): void => {
          signal.removeEventListener('abort', tell)
          forget(organizationId, id, tell)
          resolve()
        }
        const own = waiting.get(organizationId) ?? new Map<string, Set<() => void>>()
        waiting.set(organizationId, own.set(id, (own.get(id) ?? new Set()).add(tell)))
        signal.addEventListener('abort', tell, { once: true })
        plan()
        // Finds a decision that was stored before the wait began.
        lookNow(organizationId)
      })
    },
    look: lookNow,
    stop() {
      clearTimeout(timer)
      for (const own of waiting.values()) {
        for (const told of [...own.values()]) for (const tell of [...told]) tell()
      }
    },
  }
}
