import type { Actor } from '../actor.ts'
import { GATEWAY } from '../actor.ts'
import type { NewChange } from '../change.ts'
import type { SignInKind } from '../events/event.ts'
import { toPublicId } from '../id.ts'
import { type Instant, toIso } from '../time/instant.ts'

/** What is noted of signing in. A reset is a password that was chosen with a link. */
export type SignInWhat = 'succeeded' | 'failed' | 'locked' | 'refused' | 'reset'

/** For whom an account is locked: one address, everybody, or a session in which the password is asked for. */
export type LockScope = 'address' | 'everywhere' | 'session'

/** What is told as one is that of a quarter of an hour. */
export const QUARTER_MS = 15 * 60_000
/** A process may be late with what it has counted in its memory. */
const GRACE_MS = 60_000
/** Of how many addresses a note tells. */
export const ADDRESSES_MAX = 10

/** Whose account it is. */
export interface Account {
  readonly organizationId: string
  readonly memberId: string
  readonly email: string
}

/** Something that happened to an account, `number` times since `firstAt`. */
export interface SignInNote extends Account {
  readonly what: SignInWhat
  readonly memberName: string | null
  readonly number: number
  readonly addresses: readonly string[]
  readonly firstAt: Instant
  readonly lastAt: Instant
  readonly scope: LockScope | null
  readonly lockedUntil: Instant | null
}

/** When a note of this instant is told at the latest, with everything of its quarter of an hour. */
export function quarterOf(at: Instant): { readonly beginsAt: Instant; readonly toldAt: Instant } {
  const beginsAt = at - (at % QUARTER_MS)
  return { beginsAt, toldAt: beginsAt + QUARTER_MS + GRACE_MS }
}

/** Sign-ins, locks and resets are told at once; what strangers can repeat, once for a quarter of an hour. */
export function isToldAtOnce(what: SignInWhat): boolean {
  return what === 'succeeded' || what === 'locked' || what === 'reset'
}

export function eventKindOf({ what }: Pick<SignInNote, 'what'>): SignInKind {
  return `sign_in.${what}`
}

/** What is told of it. There is no password in it, right or wrong. */
export function dataOf(note: SignInNote): Readonly<Record<string, unknown>> {
  const { what, memberId, email, number, addresses, firstAt, lastAt, scope, lockedUntil } = note
  return {
    memberId: toPublicId('mem', memberId),
    email,
    addresses: addresses.slice(0, ADDRESSES_MAX),
    number,
    firstAt: toIso(firstAt),
    lastAt: toIso(lastAt),
    ...(what === 'locked' && {
      scope,
      lockedUntil: lockedUntil === null ? null : toIso(lockedUntil),
    }),
  }
}

/** What the record of changes says. Undefined for a reset: the transaction of the reset has recorded it. */
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
