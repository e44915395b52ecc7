import { clip } from '../base/errors.ts'
import type { Member } from '../core/people/member.ts'
import {
  type Account,
  ADDRESSES_MAX,
  isToldAtOnce,
  quarterOf,
  type SignInMethod,
  type SignInNote,
} from '../core/people/sign-in-note.ts'
import { type Instant, toIso } from '../core/time/instant.ts'
import { NO_OWNER } from '../storage/people/sessions.ts'
import type { Membership } from '../storage/people/sign-in-names.ts'
import type { NewNote } from '../storage/people/sign-in-notes.ts'
import { ADDRESS_MAX } from './open-session.ts'
import { type BegunLock, networkOf } from './sign-in-limits.ts'

/** More accounts than can be tried between two rounds of the worker. */
const ACCOUNTS_MAX = 10_000

/**
 * Events that strangers can repeat: a failed attempt (wrong password or locked account), and a refused
 * address.
 */
export type Repeated = 'failed' | 'refused'

/** Attempts on accounts or links that do not exist. */
export interface Strangers {
  readonly attempts: number
  readonly addresses: readonly string[]
}

/**
 * Counts the attempts of strangers in the memory of this process, so that an attempt needs no
 * statement, whether the account exists or not. A worker stores the counts every second (record-sign-
 * ins.ts).
 */
export interface SignInNotes {
  /** Without accounts, it is an attempt on an unknown account. */
  add(what: Repeated, accounts: readonly Account[], address: string): void
  /** Whether there is nothing to store. */
  isEmpty(): boolean
  /** Returns all counts since the last call, with this time, and resets them. */
  take(now: Instant): readonly NewNote[]
  /** Adds notes back that could not be stored. */
  putBack(notes: readonly NewNote[]): void
  takeStrangers(): Strangers
}

interface Counted {
  readonly what: Repeated
  readonly account: Account
  number: number
  readonly addresses: Set<string>
}

export function createSignInNotes(): SignInNotes {
  let counted = new Map<string, Counted>()
  let strangers = { attempts: 0, addresses: new Set<string>() }

  function count(what: Repeated, account: Account, number: number, from: readonly string[]): void {
    const key = `${what} ${account.organizationId} ${account.memberId}`
    const known = counted.get(key) ?? { what, account, number: 0, addresses: new Set() }
    known.number += number
    for (const address of from) keepSome(known.addresses, address)
    if (counted.has(key) || counted.size < ACCOUNTS_MAX) counted.set(key, known)
  }

  return {
    add(what, accounts, address) {
      for (const account of accounts) count(what, account, 1, [address])
      if (accounts.length > 0) return
      strangers.attempts += 1
      keepSome(strangers.addresses, address)
    },
    isEmpty: () => counted.size === 0,
    take(now) {
      const taken = [...counted.values()]
      counted = new Map()
      return taken.map(({ what, account, number, addresses }) =>
        toNewNote({
          ...account,
          ...{ what, number, addresses: [...addresses], firstAt: now, lastAt: now },
          ...{ memberName: null, scope: null, lockedUntil: null, method: null },
        }),
      )
    },
    putBack(notes) {
      for (const { what, number, addresses, organizationId, memberId, email } of notes) {
        if (isToldAtOnce(what)) continue
        count(what as Repeated, { organizationId, memberId, email }, number, addresses)
      }
    },
    takeStrangers() {
      const { attempts, addresses } = strangers
      strangers = { attempts: 0, addresses: new Set() }
      return { attempts, addresses: [...addresses] }
    },
  }
}

function keepSome(addresses: Set<string>, address: string): void {
  if (addresses.size < ADDRESSES_MAX) addresses.add(address)
}

/**
 * Notes with the same name are stored as one: one per account and 15 minutes. `apart` separates notes
 * of the same account.
 */
export function toNewNote(note: SignInNote, apart: string = note.memberId): NewNote {
  const { beginsAt, toldAt } = quarterOf(note.firstAt)
  const name = `${note.what} ${note.scope ?? ''} ${apart} ${toIso(beginsAt)}`
  const dueAt = isToldAtOnce(note.what) ? note.firstAt : toldAt
  return { ...note, name, dueAt, endsAt: toldAt }
}

/** Stands for an account that does not exist. The text that a stranger typed is not stored. */
export const STRANGER: Account = { ...NO_OWNER, email: 'nobody' }

/** A member has signed in. */
export function successOf(
  { organizationId, memberId }: Membership,
  { email, name }: Pick<Member, 'email' | 'name'>,
  { address, method }: { readonly address: string; readonly method: SignInMethod },
  at: Instant,
): NewNote {
  const note = onceAt({ organizationId, memberId, email }, 'succeeded', address, at)
  const apart = `${memberId} ${networkOf(address)} ${method}`
  return toNewNote({ ...note, memberName: name, method }, apart)
}

/** A member has set a new password with a link. */
export function resetOf(account: Account, address: string, at: Instant): NewNote {
  return toNewNote(onceAt(account, 'reset', address, at))
}

export function lockOf(
  account: Account,
  { account: named, scope, endsAt }: BegunLock,
  address: string,
  at: Instant,
): NewNote {
  const note = onceAt(account, 'locked', address, at)
  const lock = toNewNote({ ...note, scope, lockedUntil: endsAt }, named)
  return account === STRANGER ? { ...lock, endsAt: at } : lock
}

function onceAt(
  { organizationId, memberId, email }: Account,
  what: SignInNote['what'],
  address: string,
  at: Instant,
): SignInNote {
  return {
    ...{ organizationId, memberId, email, what, number: 1 },
    addresses: [clip(address, ADDRESS_MAX)],
    ...{ firstAt: at, lastAt: at, memberName: null, scope: null, lockedUntil: null, method: null },
  }
}
