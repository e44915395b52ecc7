import { toRecoveryCode } from '../core/people/recovery-code.ts'
import { repeatedTransaction } from '../storage/engine/repeated-transaction.ts'
import { holdMember } from '../storage/people/members.ts'
import { findCodeOwners, useRecoveryCode } from '../storage/people/recovery-codes.ts'
import type { Membership } from '../storage/people/sign-in-names.ts'
import { storeNotes } from '../storage/people/sign-in-notes.ts'
import { hashSecret } from '../storage/secrets/session-secret.ts'
import { lookUpAccount, noteFailure, type SignInParts, storeLocks } from './counted-attempt.ts'
import { type OpenedSession, type Origin, openSession } from './open-session.ts'
import { wrongCredentials } from './sign-in.ts'
import { accountOf } from './sign-in-limits.ts'
import { successOf } from './sign-in-notes.ts'

export interface CodeAttempt extends Origin {
  readonly email: string
  readonly recoveryCode: string
  readonly organizationId: string | undefined
}

/**
 * Signs in with a recovery code, which works once. It counts against the same limits as a password,
 * and every failure takes the same steps. A code is random, so it belongs to one membership.
 */
export async function signInWithCode(
  parts: SignInParts,
  attempt: CodeAttempt,
): Promise<OpenedSession & Membership> {
  const { db, clock, limits } = parts
  const { address } = attempt
  const hash = hashSecret(toRecoveryCode(attempt.recoveryCode) ?? '')
  const { looked, members, known, counted, now } = await lookUpAccount(parts, attempt, (all) =>
    findCodeOwners(db, all, hash),
  )
  const isIn = (membership: Membership): boolean =>
    !counted.isLocked(accountOf(membership)) &&
    known.some(({ memberId }) => memberId === membership.memberId)
  const only = looked.find(isIn)
  const missed = members.filter((member) => !isIn(member))
  if (!only) {
    await noteFailure(parts, { missed, counted, now }, attempt)
    throw wrongCredentials()
  }
  await storeLocks(parts, { missed, counted, now }, attempt)
  const opened = await repeatedTransaction(db, only.organizationId, async (tx) => {
    const [member, at] = await Promise.all([
      holdMember(tx, only.organizationId, only.memberId),
      clock(tx),
    ])
    // The member was removed, or the code was used or replaced, meanwhile.
    if (!member || !(await useRecoveryCode(tx, only, hash, at))) throw wrongCredentials()
    tx.send(storeNotes([successOf(only, member, { address, method: 'recovery_code' }, at)]))
    return openSession(tx, only, attempt, at)
  })
  // A random code is no guess at the accounts of the other organizations.
  const takenBack = missed.flatMap((member) => counted.subjectsOf(accountOf(member)))
  await limits.forget({ accounts: [accountOf(only)], address }, takenBack)
  return { ...opened, organizationId: only.organizationId, memberId: only.memberId }
}
