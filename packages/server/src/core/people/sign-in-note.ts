import type { Actor } from '../actor.ts'
import { GATEWAY } from '../actor.ts'
import type { NewChange } from '../change.ts'
import type { SignInKind } from '../events/event.ts'
import { toPublicId } from '../id.ts'
import { type Instant, toIso } from '../time/instant.ts'

/** The kinds of sign-in notes. A reset is a new password that was set with a link. */
export type SignInWhat = 'succeeded' | 'failed' | 'locked' | 'refused' | 'reset'

/** How a member signed in. */
export type SignInMethod = 'password' | 'passkey' | 'recovery_code'

/** The scope of a lock: one address, all addresses, or a session that asks for the password. */
export type LockScope = 'address' | 'everywhere' | 'session'

/** Repeated attempts within a quarter of an hour are reported as one. */
export const QUARTER_MS = 15 * 60_000
/** Leaves a process time to write the attempts that it counted in memory. */
const GRACE_MS = 60_000
/** The most addresses in a note. */
export const ADDRESSES_MAX = 10

/** The member whose account it is. */
export interface Account {
  readonly organizationId: string
  readonly memberId: string
  readonly email: string
}

/** An observation about an account, made `number` times since `firstAt`. */
export interface SignInNote extends Account {
  readonly what: SignInWhat
  readonly memberName: string | null
  readonly number: number
  readonly addresses: readonly string[]
  readonly firstAt: Instant
  readonly lastAt: Instant
  readonly scope: LockScope | null
  readonly lockedUntil: Instant | null
  /** Null if it is not a sign-in, or if an older gateway noted it. */
  readonly method: SignInMethod | null
}

/** The quarter of an hour of an instant, and the time by which its notes are reported. */
export function quarterOf(at: Instant): { readonly beginsAt: Instant; readonly toldAt: Instant } {
  const beginsAt = at - (at % QUARTER_MS)
  return { beginsAt, toldAt: beginsAt + QUARTER_MS + GRACE_MS }
}

/**
 * Sign-ins, locks and resets are reported at once; attempts that strangers can repeat, once per quarter
 * of an hour.
 */
export function isToldAtOnce(what: SignInWhat): boolean {
  return what === 'succeeded' || what === 'locked' || what === 'reset'
}

export function eventKindOf({ what }: Pick<SignInNote, 'what'>): SignInKind {
  return `sign_in.${what}`
}

/** The data of the event. It never contains a password, right or wrong. */
export function dataOf(note: SignInNote): Readonly<Record<string, unknown>> {
  const { what, memberId, email, number, addresses, firstAt, lastAt, scope, lockedUntil } = note
  const { method } = note
  return {
    memberId: toPublicId('mem', memberId),
    email,
    addresses: addresses.slice(0, ADDRESSES_MAX),
    number,
    firstAt: toIso(firstAt),
    lastAt: toIso(lastAt),
    ...(what === 'succeeded' && { method }),
    ...(what === 'locked' && {
      scope,
      lockedUntil: lockedUntil === null ? null : toIso(lockedUntil),
    }),
  }
}

/** The change record. Undefined for a reset: its own transaction has recorded it. */
export function changeOf(
  note: SignInNote,
  id: string,
  at: Instant,
): { readonly actor: Actor; readonly change: NewChange } | undefined {
  const { what, memberId, email, memberName } = note
  if (what === 'reset') return undefined
  const actor: Actor =
    what === 'succeeded' ? { kind: 'member', id: memberId, name: memberName ?? email } : GATEWAY
  const subjectId = toPublicId('sgn', id)
  const told = { before: {}, after: dataOf(note) }
  return { actor, change: { operation: `sign_in.${what}`, subjectId, at, ...told } }
}
