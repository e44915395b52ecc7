import { OPERATOR } from '../core/actor.ts'
import { MADE_BY_CLI } from '../core/api-key.ts'
import { toPublicId } from '../core/id.ts'
import { type Member, toEmail } from '../core/people/member.ts'
import { isRole, ROLE_NAMES, type Role } from '../core/people/role.ts'
import { toIso } from '../core/time/instant.ts'
import { type CreatedLink, createInvitation, createResetLink } from '../people/links.ts'
import { endMembership, lockManaged, lockPeople } from '../people/manage.ts'
import { invitationOf, removalOf, resetOf } from '../people/people-changes.ts'
import type { Storage } from '../process/open-storage.ts'
import { findTheOrganization } from '../process/setup.ts'
import { recordChange } from '../storage/changes.ts'
import { readClock } from '../storage/engine/clock.ts'
import type { Tx } from '../storage/engine/database.ts'
import { queueInvitationMail } from '../storage/messages/invitation-mails.ts'
import { findMemberByEmail, listMembers } from '../storage/people/members.ts'

/**
 * Operator commands about members, run directly on the storage. All of them throw readable errors.
 */
type OpenStorage = Pick<Storage, 'db'>

/** The organization's public id; required if there are several organizations. */
interface Named {
  readonly organizationId: string | undefined
}

export interface IssuedLink {
  readonly organizationId: string
  readonly email: string
  readonly role: Role
  /** Shown once; only its hash is stored. */
  readonly token: string
  readonly expiresAt: string
}

const LISTED_MAX = 1_000

export function readRole(text: string): Role {
  if (isRole(text)) return text
  throw new Error(`${JSON.stringify(text)} is not a role. The roles are ${ROLE_NAMES.join(', ')}.`)
}

/**
 * Invites a member. It may be an owner, which is how an organization without members gets its
 * first.
 */
export function inviteMember(
  { db }: OpenStorage,
  wanted: Named & { readonly email: string; readonly role: Role; readonly name: string | null },
  mail: InvitationMail = NO_MAIL,
): Promise<IssuedLink & { readonly mail: InvitationMailState }> {
  const email = readAddress(wanted.email)
  return db.transaction(async (tx) => {
    const organizationId = await findTheOrganization(tx, wanted.organizationId)
    const { now } = await lockPeople(tx, readClock, organizationId, undefined)
    const { role, name } = wanted
    const invited = { organizationId, email, name, role, createdBy: MADE_BY_CLI }
    const link = await createInvitation(tx, invited, now)
    recordChange(tx, organizationId, OPERATOR, invitationOf(link))
    return { ...toIssued(link, email), mail: await mail(tx, link) }
  })
}

/** What happens with the mail of an invitation. `limited`: too many were mailed within a day. */
export type InvitationMailState = 'queued' | 'limited' | 'off'
type InvitationMail = (tx: Tx, link: CreatedLink) => Promise<InvitationMailState>
const NO_MAIL: InvitationMail = async () => 'off'

/** Queues the mail of an invitation. A running gateway with an SMTP server sends it. */
export function mailInvitations({ sealer }: Pick<Storage, 'sealer'>): InvitationMail {
  return async (tx, { invitation, token }) =>
    (await queueInvitationMail(tx, sealer, invitation, token)) ? 'queued' : 'limited'
}

/** Creates a link with which a member can set a new password. */
export function issueResetLink(
  { db }: OpenStorage,
  wanted: Named & { readonly email: string },
): Promise<IssuedLink> {
  return db.transaction(async (tx) => {
    const { organizationId, member } = await findNamed(tx, wanted)
    const id = member.id
    const locked = await lockManaged(tx, readClock, { organizationId, manager: undefined, id })
    const { now } = locked
    const link = await createResetLink(tx, organizationId, locked.member, MADE_BY_CLI, now)
    recordChange(tx, organizationId, OPERATOR, resetOf(link))
    return toIssued(link, member.email)
  })
}

/** Removes a member and ends their sessions. */
export function dismissMember(
  { db }: OpenStorage,
  wanted: Named & { readonly email: string },
): Promise<string> {
  return db.transaction(async (tx) => {
    const { organizationId, member } = await findNamed(tx, wanted)
    const of = { organizationId, manager: undefined, id: member.id }
    const managed = await lockManaged(tx, readClock, of)
    await endMembership(tx, organizationId, managed)
    recordChange(tx, organizationId, OPERATOR, removalOf(managed))
    return member.email
  })
}

export interface ListedMember extends Pick<Member, 'email' | 'name' | 'role'> {
  readonly id: string
  readonly createdAt: string
}

/** Returns the members newest first. */
export async function readMembers(
  { db }: OpenStorage,
  { organizationId: named }: Named,
): Promise<ListedMember[]> {
  const organizationId = await findTheOrganization(db, named)
  const all = { limit: LISTED_MAX, offset: 0, after: undefined }
  const { rows } = await listMembers(db, organizationId, all)
  return rows.map(({ id, email, name, role, createdAt }) => ({
    id: toPublicId('mem', id),
    email,
    name,
    role,
    createdAt: toIso(createdAt),
  }))
}

async function findNamed(
  tx: Tx,
  { organizationId: named, email: text }: Named & { readonly email: string },
): Promise<{ readonly organizationId: string; readonly member: Member }> {
  const email = readAddress(text)
  const organizationId = await findTheOrganization(tx, named)
  const member = await findMemberByEmail(tx, organizationId, email)
  if (member) return { organizationId, member }
  throw new Error(`There is no member ${email}. "purser members list" shows all members.`)
}

export function readAddress(text: string): string {
  const email = toEmail(text)
  if (email !== undefined) return email
  throw new Error(`${JSON.stringify(text)} is not an e-mail address such as ada@example.com.`)
}

function toIssued({ invitation, token }: CreatedLink, email: string): IssuedLink {
  const { organizationId, role, expiresAt } = invitation
  const shown = { organizationId: toPublicId('org', organizationId), email, role }
  return { ...shown, token, expiresAt: toIso(expiresAt) }
}
