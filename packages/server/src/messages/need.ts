/** Whether messages can have a recipient, or some still wait. */
export interface Need {
  exists(): Promise<boolean>
  /** The next call of `exists` looks again. */
  forget(): void
}

/** A chat that a different process has stored is found after this pause. */
const LOOKED_AT_EVERY_MS = 10_000

/**
 * Remembers the answer of `find` for ten seconds. A gateway without an SMTP server and without chats
 * then sends one query in this time, instead of looking for news and due messages all the time.
 */
export function createNeed(find: () => Promise<boolean>): Need {
  let known: { readonly exists: boolean; readonly at: number } | undefined
  return {
    async exists() {
      if (!known || performance.now() - known.at >= LOOKED_AT_EVERY_MS) {
        known = { exists: await find(), at: performance.now() }
      }
      return known.exists
    },
    forget() {
      known = undefined
    },
  }
}
