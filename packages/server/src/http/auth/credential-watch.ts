import type { Principal } from '../../core/principal.ts'
import type { Instant } from '../../core/time/instant.ts'

/**
 * The interval for checking the credentials of long answers. Together with the time in the cache it
 * is less than a second, and a check nearly always costs no query.
 */
const CHECK_MS = 90
/** If the database is unreachable, nothing is known; checks are then less frequent. */
const CHECK_AFTER_FAILURE_MS = 1_000

export interface CredentialWatch {
  /**
   * For an answer that continues after its request was admitted: calls back once, when the key or
   * session is revoked or has expired. Returns a function that ends the watch.
   */
  watch(principal: Pick<Principal, 'prefix'>, onGone: () => void): () => void
  /** Checks the announced credential again, or all of them. */
  look(publicId?: string): void
  stop(): void
}

/** The same for a principal of either kind. */
export type WatchPrincipal = (
  principal: Pick<Principal, 'kind' | 'prefix'>,
  onGone: () => void,
) => () => void

interface WatchParts<Stored> {
  find(publicId: string): Stored | undefined | Promise<Stored | undefined>
  endOf(stored: Stored): Instant | null
  readonly now: () => number
}

/** Checks the watched credentials in rounds, one round at a time, and only while there are any. */
export function createCredentialWatch<Stored>({
  find,
  endOf,
  now,
}: WatchParts<Stored>): CredentialWatch {
  const watched = new Map<string, Set<() => void>>()
  let timer: NodeJS.Timeout | undefined

  async function lookAt(publicId: string): Promise<void> {
    const stored = await find(publicId)
    const end = stored === undefined ? null : endOf(stored)
    if (stored !== undefined && (end === null || end > now())) return
    const watchers = watched.get(publicId) ?? []
    watched.delete(publicId)
    for (const onGone of watchers) onGone()
  }

  async function lookAtAll(): Promise<void> {
    const looks = await Promise.allSettled([...watched.keys()].map(lookAt))
    const hasFailed = looks.some(({ status }) => status === 'rejected')
    timer = undefined
    plan(hasFailed ? CHECK_AFTER_FAILURE_MS : CHECK_MS)
  }

  function plan(ms: number): void {
    if (timer !== undefined || watched.size === 0) return
    timer = setTimeout(lookAtAll, ms)
    timer.unref()
  }

  return {
    watch({ prefix }, onGone) {
      const watchers = watched.get(prefix) ?? new Set()
      watched.set(prefix, watchers.add(onGone))
      plan(CHECK_MS)
      return () => {
        watchers.delete(onGone)
        if (watchers.size === 0 && watched.get(prefix) === watchers) watched.delete(prefix)
      }
    },
    look(publicId) {
      const all = publicId === undefined ? [...watched.keys()] : [publicId]
      for (const each of all.filter((id) => watched.has(id))) {
        // If this fails, the next round checks again.
        lookAt(each).catch(() => {})
      }
    },
    stop() {
      clearTimeout(timer)
      watched.clear()
    },
  }
}
