import type { Writable } from 'node:stream'
import type { PoolClient } from 'pg'

/** Call this before each statement. */
export type JoinWrites = () => void

/**
 * Joins the statements that a transaction sends in the same tick into one write. The driver would
 * write each of them separately: every write is a system call and wakes up the server. Joined, a
 * decision takes 7 % less CPU in this process, and less in PostgreSQL too (ADR 8).
 */
export function joinWrites(client: PoolClient): JoinWrites {
  const { stream } = connectionOf(client)
  let isJoining = false
  const end = (): void => {
    isJoining = false
    stream.uncork()
  }
  return () => {
    if (isJoining) return
    isJoining = true
    stream.cork()
    process.nextTick(end)
  }
}

/** The driver's types do not declare this property. */
function connectionOf(client: PoolClient): { readonly stream: Writable } {
  return Reflect.get(client, 'connection')
}
