import type { Principal } from '../../core/principal.ts'
import type { Instant } from '../../core/time/instant.ts'

/**
 * How often credentials of answers that go on are looked at. Together with the time for which one is
 * cached it is less than a second, and nearly always it costs no query.
 */
const CHECK_MS = 90
/** When the database cannot be asked, nothing is known; it is not asked all the time. */
const CHECK_AFTER_FAILURE_MS = 1_000

export interface CredentialWatch {
  /**
   * For an answer that goes on after its request was admitted: calls back once, when the key or session
   * is revoked or has expired. Returns what ends the watch.
   */
  watch(principal: Pick<Principal, 'prefix'>, onGone: () => void): () => void
  /** Looks again at those of which something was announced, or at all of them. */
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

/** Looks at what is watched in rounds, one at a time, and only while there is anything. */
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
        // The next round asks again if this fails.
        lookAt(each).catch(() => {})
      }
    },
    stop() {
      clearTimeout(timer)
      watched.clear()
    },
  }
}
