import type { Instant } from '../core/time/instant.ts'
import type { Problem } from '../errors.ts'
import type { Database } from '../storage/engine/database.ts'
import { type CredentialWatch, createCredentialWatch } from './credential-watch.ts'
import { createTurns } from './turns.ts'

/**
 * How long a credential is trusted before the database is asked again. It is less than a second, so
 * that a revocation takes effect within one even if its announcement is lost unnoticed. One look-up per
 * credential and second is nothing compared with the requests it serves.
 */
const FRESH_MS = 900
const ENTRIES_MAX = 10_000
/** Absent ones are kept separately and few, so that made-up ones cannot push out real ones. */
const ABSENT_MAX = 1_000
/**
 * Bounds the look-ups of what this process does not know. Anybody can make up as many as they like, and
 * must not be able to keep the database busy with them. At some thousand look-ups a second, a real one
 * that is seen for the first time waits for less than a second.
 */
const UNKNOWN = { atOnce: 4, waitingMax: 1_000 }

export interface CredentialCache<Stored> extends Pick<CredentialWatch, 'watch'> {
  /** Answers at once if it is cached, which is nearly always. */
  find(publicId: string): Stored | undefined | Promise<Stored | undefined>
  stop(): Promise<void>
}

/** What kind of credential it is: API keys, or sessions. */
export interface CredentialKind<Stored> {
  /** Where every process hears the public ids of those that have changed or ended. */
  readonly channel: string
  /**
   * Asks the database. `last` is what it said before, if this process knows; `wasAbsent` says that it
   * knew of none.
   */
  read(publicId: string, last: Stored | undefined, wasAbsent: boolean): Promise<Stored | undefined>
  /** When it ends by itself; null: never. */
  endOf(stored: Stored): Instant | null
  /** What is answered when too many come that were not seen before. */
  tooMany(): Problem
}

interface Entry<Stored> {
  readonly stored: Stored | undefined
  readonly readAt: number
}

/**
 * Credentials by their public id. Absent ones are remembered too, so that a client that keeps sending a
 * revoked one does not cost a query each time.
 *
 * When a revocation commits, the database announces it to every process, usually at once. When the
 * connection that hears the announcements is lost, the cache is emptied.
 */
export async function createCredentialCache<Stored>(
  db: Database,
  now: () => number,
  kind: CredentialKind<Stored>,
): Promise<CredentialCache<Stored>> {
  const entries = new Map<string, Entry<Stored>>()
  const absent = new Map<string, Entry<Stored>>()
  const reading = new Map<string, Promise<Stored | undefined>>()
  const turns = createTurns({ ...UNKNOWN, tooMany: kind.tooMany })
  // If it is revoked while an answer is on its way, that answer must not be kept.
  let revocations = 0
  const watch = createCredentialWatch({ find, endOf: kind.endOf, now })

  const stopListening = await db.listen(kind.channel, {
    onMessage(publicId) {
      revocations++
      entries.delete(publicId)
      reading.delete(publicId)
      watch.look(publicId)
    },
    onGap() {
      revocations++
      entries.clear()
      absent.clear()
      reading.clear()
      watch.look()
    },
  })

  function keep(map: Map<string, Entry<Stored>>, publicId: string, entry: Entry<Stored>): void {
    const most = map === entries ? ENTRIES_MAX : ABSENT_MAX
    if (map.size >= most) map.delete(map.keys().next().value ?? '')
    map.set(publicId, entry)
  }

  async function read(
    publicId: string,
    last: Stored | undefined,
    wasAbsent: boolean,
  ): Promise<Stored | undefined> {
    const seen = revocations
    const stored = await kind.read(publicId, last, wasAbsent)
    if (seen !== revocations) return stored
    if (!stored) entries.delete(publicId)
    keep(stored ? entries : absent, publicId, { stored, readAt: now() })
    return stored
  }

  /** Requests that come meanwhile wait for the same answer, unless a revocation is announced. */
  function readOnce(publicId: string, wasAbsent: boolean): Promise<Stored | undefined> {
    const underWay = reading.get(publicId)
    if (underWay !== undefined) return underWay
    // What was good until just now never waits behind what is made up.
    const last = entries.get(publicId)?.stored
    const found = last
      ? read(publicId, last, false)
      : turns.run(() => read(publicId, undefined, wasAbsent))
    reading.set(publicId, found)
    const forget = (): void => {
      if (reading.get(publicId) === found) reading.delete(publicId)
    }
    found.then(forget, forget)
    return found
  }

  function find(publicId: string): Stored | undefined | Promise<Stored | undefined> {
    const entry = entries.get(publicId) ?? absent.get(publicId)
    if (entry && now() - entry.readAt < FRESH_MS) return entry.stored
    return readOnce(publicId, absent.delete(publicId))
  }

  return {
    find,
    watch: watch.watch,
    async stop() {
      watch.stop()
      await stopListening()
    },
  }
}
