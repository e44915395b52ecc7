import { invalidFields, Problem } from '../base/errors.ts'
import { type Actor, actorText } from '../core/actor.ts'
import { MADE_BY_CLI } from '../core/api-key.ts'
import { toPublicId } from '../core/id.ts'
import type { Organization } from '../core/organization.ts'
import type { Invitation } from '../core/people/member.ts'
import { ROLE_NAMES } from '../core/people/role.ts'
import type { Instant } from '../core/time/instant.ts'
import { recordChange } from '../storage/changes.ts'
import type { Tx } from '../storage/engine/database.ts'
import { repeatedTransaction } from '../storage/engine/repeated-transaction.ts'
import { newId } from '../storage/new-id.ts'
import {
  getOrganization,
  lockOrganization,
  type OrganizationChange,
  updateOrganization,
} from '../storage/organizations.ts'
import { findInvitation, takeInvitation } from '../storage/people/invitations.ts'
import { noteMemberLink } from '../storage/people/member-links.ts'
import { countMembers, findMember, insertMember } from '../storage/people/members.ts'
import { removePasskeysAndCodes } from '../storage/people/passkeys.ts'
import { endSessions } from '../storage/people/session-ends.ts'
import { keepSalt, type Membership, storePassword } from '../storage/people/sign-in-names.ts'
import { storeNotes } from '../storage/people/sign-in-notes.ts'
import { hashSecret } from '../storage/secrets/session-secret.ts'
import { countOrRefuse, type SignInParts } from './counted-attempt.ts'
import { type OpenedSession, type Origin, openSession } from './open-session.ts'
import { newSalt, type Passwords } from './passwords.ts'
import { type Joined, joinedOf, resetTakenOf } from './people-changes.ts'
import { accountOf, isRefusal } from './sign-in-limits.ts'
import { resetOf } from './sign-in-notes.ts'

/** Settings that the first owner chooses. Omitted ones keep their values. */
export type FirstSettings = Pick<OrganizationChange, 'name' | 'timezone' | 'currency'>

/** The request of a person who uses an invitation, setup or reset link. */
export interface Acceptance extends Origin {
  readonly token: string
  readonly password: string
  /** Default: the name that the inviter entered, or the email address. */
  readonly name: string | undefined
  /** Only the first owner sends it. For everyone else, the invitation has the address. */
  readonly email: string | undefined
  /** Settings of the organization, which the first owner may send. */
  readonly organization?: FirstSettings | undefined
}

/**
 * Uses a link, which works once: creates a member or sets a member's new password, and signs the
 * person in. The password is hashed before the transaction, because the transaction must not wait for
 * that.
 */
export async function accept(
  parts: SignInParts,
  acceptance: Acceptance,
): Promise<OpenedSession & Membership> {
  const { db, clock, limits, passwords, notes } = parts
  const { address, password } = acceptance
  const now = await clock(db)
  await limits.count({ accounts: [], address }, now).catch((error: unknown) => {
    if (isRefusal(error)) notes.add('refused', [], address)
    throw error
  })
  const found = await findInvitation(db, hashSecret(acceptance.token))
  const isSetup = acceptance.email !== undefined
  if (!found || found.expiresAt <= now || (found.kind === 'setup') !== isSetup) {
    notes.add('failed', [], address)
    throw linkEnded()
  }
  const email = found.email ?? acceptance.email ?? ''
  await checkPassword(passwords, { password, email, path: '/password' })
  const secret = await passwords.hash(password, await keepSalt(db, email, newSalt()))
  const done = await repeatedTransaction(db, found.organizationId, async (tx) => {
    const at = await lockAndTake(tx, parts, found)
    const member =
      found.kind === 'reset'
        ? await resetMember(tx, found)
        : await becomeMember(tx, found, { email, name: acceptance.name }, at)
    const { organizationId, kind } = found
    const owner = { organizationId, memberId: member.id }
    const isReset = kind === 'reset'
    // A reset link counts from its use, because its creator can take over the account only from then
    // on.
    const madeAt = isReset ? at : found.createdAt
    noteMemberLink(tx, organizationId, { memberId: member.id, madeBy: found.createdBy, madeAt })
    const change = isReset ? resetTakenOf(member, address, at) : joinedOf(member, address, at)
    if (isReset) tx.send(storeNotes([resetOf({ ...owner, email: member.email }, address, at)]))
    const actor = { kind: 'member', id: member.id, name: member.name } as const
    recordChange(tx, organizationId, actor, change)
    if (acceptance.organization) {
      await changeSettings(tx, organizationId, actor, acceptance.organization, at)
    }
    await storePassword(tx, owner, { id: newId(at), secret }, at)
    return { ...(await openSession(tx, owner, acceptance, at)), ...owner }
  })
  await limits.forget({ accounts: [], address })
  if (found.kind === 'reset') await limits.unlock(accountOf(done))
  return done
}

/** Of two requests with the same link, the second finds the link used. */
async function lockAndTake(
  tx: Tx,
  { clock }: Pick<SignInParts, 'clock'>,
  found: Invitation,
): Promise<Instant> {
  const [, taken, at] = await Promise.all([
    lockOrganization(tx, found.organizationId),
    takeInvitation(tx, found),
    clock(tx),
  ])
  if (!taken || taken.expiresAt <= at) throw linkEnded()
  return at
}

async function becomeMember(
  tx: Tx,
  { organizationId, kind, name: invitedAs, role, createdBy }: Invitation,
  { email, name }: { readonly email: string; readonly name: string | undefined },
  now: Instant,
): Promise<Joined> {
  if (kind === 'setup') {
    const already = await countMembers(tx, organizationId, { roles: ROLE_NAMES, most: 1 })
    // An invited person joined first, so setup is over.
    if (already > 0) throw linkEnded()
  }
  const called = name ?? invitedAs ?? email
  const member = { id: newId(now), email, name: called, role, createdAt: now, createdBy }
  await insertMember(tx, organizationId, member)
  return member
}

/** In the transaction of the set-up, so that a set-up link never leaves half of it done. */
async function changeSettings(
  tx: Tx,
  organizationId: string,
  actor: Actor,
  settings: FirstSettings,
  at: Instant,
): Promise<void> {
  const by = actorText(actor)
  const before = await lockOrganization(tx, organizationId)
  const after = await updateOrganization(tx, before, settings, at, by)
  recordChange(tx, organizationId, actor, {
    ...{ operation: 'organization.updated', subjectId: toPublicId('org', organizationId), at },
    ...{ before: firstSettingsOf(before), after: firstSettingsOf(after) },
  })
}

function firstSettingsOf({ name, timezone, currency }: Organization): Required<FirstSettings> {
  return { name, timezone, currency }
}

/**
 * Ends all sessions, passkeys and recovery codes of the member: anyone who knew the old password or
 * had a browser open is signed out, and could have added a passkey before.
 */
async function resetMember(tx: Tx, found: Invitation): Promise<Joined> {
  const { organizationId, memberId } = found
  const member = memberId === null ? undefined : await findMember(tx, organizationId, memberId)
  if (!member) throw linkEnded()
  const owner = { organizationId, memberId: member.id }
  removePasskeysAndCodes(tx, owner)
  await endSessions(tx, owner, { kept: 0, except: undefined })
  return member
}

export async function checkPassword(
  passwords: Passwords,
  {
    password,
    email,
    path,
  }: { readonly password: string; readonly email: string; readonly path: string },
): Promise<void> {
  const refusal = await passwords.refuse(password, email)
  if (refusal) throw invalidFields([{ path, ...refusal }])
}

/** The error must not reveal whether the link was used or never existed. */
export function linkEnded(): Problem {
  return new Problem(
    'link_ended',
    'The link was used or revoked, or is older than 7 days. Ask an owner or admin for a new one, or the operator: "purser members invite".',
  )
}

/** A link as its page shows it before the person chooses a password. */
interface ReadLink {
  readonly invitation: Invitation
  readonly organization: string
  /** The name of the member who created the link. Undefined if the operator did. */
  readonly createdBy: string | undefined
}

/**
 * Reads an invitation or reset link without using it. Only failures count as attempts: a count that
 * a valid link resets would let its holder guess passwords without a limit.
 */
export async function readLink(
  parts: SignInParts,
  { token, address }: { readonly token: string; readonly address: string },
): Promise<ReadLink> {
  const { db, clock } = parts
  const [now, invitation] = await Promise.all([clock(db), findInvitation(db, hashSecret(token))])
  if (!invitation || invitation.expiresAt <= now || invitation.kind === 'setup') {
    await countOrRefuse(parts, { accounts: [], address }, [], now)
    parts.notes.add('failed', [], address)
    throw linkEnded()
  }
  const { organizationId, createdBy } = invitation
  const [organization, maker] = await Promise.all([
    getOrganization(db, organizationId),
    createdBy === MADE_BY_CLI ? undefined : findMember(db, organizationId, createdBy),
  ])
  return { invitation, organization: organization.name, createdBy: maker?.name }
}
