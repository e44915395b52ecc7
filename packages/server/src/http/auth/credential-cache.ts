import type { Problem } from '../../base/errors.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { Database } from '../../storage/engine/database.ts'
import { type CredentialWatch, createCredentialWatch } from './credential-watch.ts'
import { type Before, createFreshMemory } from './fresh-memory.ts'

export interface CredentialCache<Stored> extends Pick<CredentialWatch, 'watch'> {
  /** Answers at once if the credential is cached, which is nearly always. */
  find(publicId: string): Stored | undefined | Promise<Stored | undefined>
  stop(): Promise<void>
}

/** The kind of credential: API keys or sessions. */
export interface CredentialKind<Stored> {
  /** The channel that announces the public ids of changed or ended credentials to every process. */
  readonly channel: string
  /** Reads from the database. */
  read(publicId: string, before: Before<Stored>): Promise<Stored | undefined>
  /** When it expires; null if never. */
  endOf(stored: Stored): Instant | null
  /** The error for too many requests with unknown credentials. */
  tooMany(): Problem
}

/**
 * Caches credentials by their public id. When a revocation commits, the database announces it to
 * every process, usually at once. If the connection that hears the announcements is lost, the cache
 * is emptied. A credential is trusted for less than a second, even if an announcement is lost
 * unnoticed.
 */
export async function createCredentialCache<Stored>(
  db: Database,
  now: () => number,
  { channel, read, endOf, tooMany }: CredentialKind<Stored>,
): Promise<CredentialCache<Stored>> {
  const memory = createFreshMemory<Stored>({ read, tooMany, now })
  const watch = createCredentialWatch({ find: memory.find, endOf, now })

  const stopListening = await db.listen(channel, {
    onMessage(publicId) {
      memory.forget(publicId)
      watch.look(publicId)
    },
    onGap() {
      memory.forgetAll()
      watch.look()
    },
  })

  return {
    find: memory.find,
    watch: watch.watch,
    async stop() {
      watch.stop()
      await stopListening()
    },
  }
}
