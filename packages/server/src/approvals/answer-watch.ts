import type { Instant } from '../core/time/instant.ts'
import { listAnswered } from '../storage/approvals/approvals.ts'
import type { Database } from '../storage/engine/database.ts'

/**
 * How often approvals that somebody waits for are looked at, so that an answer which another process
 * stored is told within a second.
 */
const LOOK_MS = 500

/** Tells those who wait that an approval was answered, or that its time is over. */
export interface AnswerWatch {
  /** Resolves when the approval waits no more, at the latest when the signal says so. */
  wait(organizationId: string, id: string, signal: AbortSignal): Promise<void>
  /** Looks at once: something was answered in this process. */
  look(organizationId: string): void
  stop(): void
}

interface WatchParts {
  readonly db: Database
  readonly now: () => Instant
}

/**
 * Looks in rounds, and only while somebody waits: one question for each organization, whatever the
 * number of those who wait. No round waits for an organization that is not answered about: others are
 * told all the same.
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

  /** Where a look fails, the next round looks again: whoever waits is told later, and of nothing wrong. */
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
        // What was answered before anybody waited is found at once.
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
