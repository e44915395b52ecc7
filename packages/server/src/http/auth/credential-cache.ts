import type { Problem } from '../../base/errors.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { Database } from '../../storage/engine/database.ts'
import { type CredentialWatch, createCredentialWatch } from './credential-watch.ts'
import { type Before, createFreshMemory } from './fresh-memory.ts'

export interface CredentialCache<Stored> extends Pick<CredentialWatch, 'watch'> {
  /** Answers at once if it is cached, which is nearly always. */
  find(publicId: string): Stored | undefined | Promise<Stored | undefined>
  stop(): Promise<void>
}

/** What kind of credential it is: API keys, or sessions. */
export interface CredentialKind<Stored> {
  /** Where every process hears the public ids of those that have changed or ended. */
  readonly channel: string
  /** Asks the database. */
  read(publicId: string, before: Before<Stored>): Promise<Stored | undefined>
  /** When it ends by itself; null: never. */
  endOf(stored: Stored): Instant | null
  /** What is answered when too many come that were not seen before. */
  tooMany(): Problem
}

/**
 * Credentials by their public id. When a revocation commits, the database announces it to every
 * process, usually at once. When the connection that hears the announcements is lost, the cache is
 * emptied. A credential is trusted for less than a second, even if an announcement is lost unnoticed.
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
