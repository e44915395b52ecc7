import { Problem } from '../base/errors.ts'
import type { MemberPrincipal } from '../core/people/member-principal.ts'
import { fromUserHandle } from '../core/people/user-handle.ts'
import type { Instant } from '../core/time/instant.ts'
import type { Tx } from '../storage/engine/database.ts'
import { repeatedTransaction } from '../storage/engine/repeated-transaction.ts'
import { holdMember } from '../storage/people/members.ts'
import { findPasskey, notePasskeyUse, type Passkey } from '../storage/people/passkeys.ts'
import { NO_OWNER } from '../storage/people/sessions.ts'
import type { Membership } from '../storage/people/sign-in-names.ts'
import { storeNotes } from '../storage/people/sign-in-notes.ts'
import type { Sealer } from '../storage/secrets/sealed.ts'
import { countOrRefuse, noteFailure, type SignInParts } from './counted-attempt.ts'
import { type OpenedSession, type Origin, openSession } from './open-session.ts'
import { takeChallenge } from './passkey-challenges.ts'
import type { PasskeyPlace } from './passkey-host.ts'
import { tryAgain } from './sign-in.ts'
import { passkeyAccountOf } from './sign-in-limits.ts'
import { successOf } from './sign-in-notes.ts'
import { challengeOf, type SignInAnswer, verifySignIn } from './verify-passkey.ts'

export interface PasskeyParts extends SignInParts {
  readonly sealer: Sealer
}

/** A passkey whose signature was right, and the new count of its authenticator. */
interface ProvenPasskey {
  readonly passkey: Passkey
  readonly newCount: bigint
}

interface PasskeyAttempt {
  readonly credential: SignInAnswer
  readonly place: PasskeyPlace
}

/**
 * Signs in the member that the passkey names. A passkey belongs to one membership, so no
 * organization has to be chosen. Every failure gets the same response.
 */
export async function signInWithPasskey(
  parts: PasskeyParts,
  attempt: PasskeyAttempt & Origin,
): Promise<OpenedSession & Membership> {
  const { db, clock, limits } = parts
  const { credential, address } = attempt
  const [now, named] = [await clock(db), fromUserHandle(credential.response.userHandle ?? '')]
  const membership = named ?? NO_OWNER
  const known = await findPasskey(db, membership, credential.id)
  const members = known ? [{ ...membership, email: known.email }] : []
  const account = passkeyAccountOf(membership)
  const counting = { accounts: [account], address }
  const counted = await countOrRefuse(parts, counting, members, now)
  const proven = await prove(parts, known?.passkey, attempt, now)
  if (!proven || counted.isLocked(account)) {
    await noteFailure(parts, { missed: members, counted, now }, attempt)
    throw wrongPasskey()
  }
  const opened = await repeatedTransaction(db, membership.organizationId, async (tx) => {
    const [member, at] = await Promise.all([
      holdMember(tx, membership.organizationId, membership.memberId),
      clock(tx),
    ])
    // The member or the passkey was removed while the signature was verified.
    if (!member || !(await notePasskey(tx, membership, proven, at))) throw wrongPasskey()
    tx.send(storeNotes([successOf(membership, member, { address, method: 'passkey' }, at)]))
    return openSession(tx, membership, attempt, at)
  })
  await limits.forget(counting)
  return { ...opened, ...membership }
}

/** Verifies a passkey of a signed-in member, who proves again who they are. */
export function provePasskeyAgain(
  parts: PasskeyParts,
  principal: MemberPrincipal,
  attempt: PasskeyAttempt & { readonly address: string },
): Promise<ProvenPasskey> {
  const membership = { organizationId: principal.organizationId, memberId: principal.id }
  return tryAgain(parts, principal, attempt.address, async (now) => {
    const known = await findPasskey(parts.db, membership, attempt.credential.id)
    return prove(parts, known?.passkey, attempt, now)
  })
}

/** Returns false if the passkey was removed or used meanwhile. */
export function notePasskey(
  tx: Tx,
  membership: Membership,
  { passkey, newCount }: ProvenPasskey,
  now: Instant,
): Promise<boolean> {
  return notePasskeyUse(tx, membership, passkey, { newCount, now })
}

async function prove(
  parts: PasskeyParts,
  passkey: Passkey | undefined,
  { credential, place }: PasskeyAttempt,
  now: Instant,
): Promise<ProvenPasskey | undefined> {
  if (!passkey) return undefined
  const challenge = challengeOf(credential)
  if (!(await takeChallenge(parts, challenge, 'sign-in', now))) return undefined
  const newCount = await verifySignIn(credential, passkey, { challenge, place })
  return newCount === undefined ? undefined : { passkey, newCount }
}

function wrongPasskey(): Problem {
  return new Problem(
    'wrong_credentials',
    'The passkey is not known here, or the request took longer than five minutes, or there were too many attempts. Try again, or sign in with the password.',
  )
}
