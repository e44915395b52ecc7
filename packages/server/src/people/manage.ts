import { Problem } from '../base/errors.ts'
import { toPublicId } from '../core/id.ts'
import type { Member } from '../core/people/member.ts'
import type { MemberPrincipal } from '../core/people/member-principal.ts'
import { mayManage, ROLE_NAMES, type Role } from '../core/people/role.ts'
import type { Instant } from '../core/time/instant.ts'
import type { DatabaseClock } from '../storage/engine/clock.ts'
import type { Tx } from '../storage/engine/database.ts'
import { lockOrganization } from '../storage/organizations.ts'
import { withdrawLinksBy, withdrawResets } from '../storage/people/invitations.ts'
import {
  countMembers,
  findMember,
  type MemberChange,
  removeMember,
  updateMember,
} from '../storage/people/members.ts'
import { announceMember, endSessions, holdSession } from '../storage/people/session-ends.ts'

/** The manager: a member, or the operator at the command line, who may do everything. */
export type Manager = Pick<MemberPrincipal, 'id'> | undefined

interface Managed {
  readonly member: Member
  readonly managerRole: Role
  readonly now: Instant
}

/**
 * Locks the organization, so that concurrent changes of members run one after another, and finds the
 * member. Reads the manager again, because another request may have just changed their role.
 */
export async function lockManaged(
  tx: Tx,
  clock: DatabaseClock,
  { organizationId, manager, id }: { organizationId: string; manager: Manager; id: string },
): Promise<Managed> {
  const { now, role } = await lockPeople(tx, clock, organizationId, manager)
  const member = await findMember(tx, organizationId, id)
  if (!member) throw memberNotFound(id)
  requireReach(role, member.role)
  return { member, managerRole: role, now }
}

/** The same for an invitation, which changes no member. */
export async function lockPeople(
  tx: Tx,
  clock: DatabaseClock,
  organizationId: string,
  manager: Manager,
): Promise<{ readonly now: Instant; readonly role: Role }> {
  const [, now, self] = await Promise.all([
    lockOrganization(tx, organizationId),
    clock(tx),
    manager && findMember(tx, organizationId, manager.id),
  ])
  if (manager === undefined) return { now, role: 'owner' }
  if (!self) throw sessionEnded()
  return { now, role: self.role }
}

/**
 * Locks the organization for a member who adds a way to sign in, and refuses if the session has ended.
 * A reset link ends sessions and removes passkeys and codes under the same lock. So nothing remains
 * that a stranger with an old session was adding meanwhile.
 */
export async function lockOwnAccess(
  tx: Tx,
  clock: DatabaseClock,
  member: MemberPrincipal,
): Promise<Instant> {
  const { organizationId, sessionId: id, prefix: publicId } = member
  const { now } = await lockPeople(tx, clock, organizationId, member)
  if (!(await holdSession(tx, { organizationId, id, publicId }))) throw sessionEnded()
  return now
}

function sessionEnded(): Problem {
  return new Problem('unauthenticated', 'The session has ended. Sign in again.')
}

/** Throws unless the first role manages the second. */
export function requireReach(manager: Role, managed: Role): void {
  if (mayManage(manager, managed)) return
  throw new Problem(
    'insufficient_role',
    managed === 'owner'
      ? `The role ${manager} cannot manage owners or make a member an owner. An owner can.`
      : `The role ${manager} cannot manage people. Owners and admins can.`,
  )
}

/** Changes the name or role. Every process applies the new role within a second. */
export async function changeMember(
  tx: Tx,
  organizationId: string,
  { member, now }: Pick<Managed, 'member' | 'now'>,
  change: MemberChange,
): Promise<Member> {
  const { id } = member
  const { role = member.role } = change
  if (role !== 'owner') await requireOtherOwner(tx, organizationId, member)
  if (role !== member.role) {
    // The creator of a link for this member may not be allowed to manage the new role.
    withdrawResets(tx, organizationId, id)
    const beyond = ROLE_NAMES.filter((other) => !mayManage(role, other))
    withdrawLinksBy(tx, organizationId, id, beyond)
  }
  const changed = await updateMember(tx, organizationId, id, change, now)
  if (!changed) throw memberNotFound(id)
  announceMember(tx, { organizationId, memberId: id })
  return changed
}

/**
 * Ends the membership, the member's sessions, and all links that are for the member or were created by
 * them.
 */
export async function endMembership(
  tx: Tx,
  organizationId: string,
  { member, now }: Managed,
): Promise<void> {
  await requireOtherOwner(tx, organizationId, member)
  withdrawResets(tx, organizationId, member.id)
  withdrawLinksBy(tx, organizationId, member.id, ROLE_NAMES)
  await removeMember(tx, organizationId, member, now)
  await endSessions(tx, { organizationId, memberId: member.id }, { kept: 0, except: undefined })
}

async function requireOtherOwner(tx: Tx, organizationId: string, { role }: Member): Promise<void> {
  if (role !== 'owner') return
  const owners = await countMembers(tx, organizationId, { roles: ['owner'], most: 2 })
  if (owners > 1) return
  throw new Problem(
    'last_owner',
    'This is the last owner, and the organization needs one. Make another member an owner first.',
  )
}

export function memberNotFound(id: string): Problem {
  return new Problem(
    'member_not_found',
    `Member ${toPublicId('mem', id)} does not exist in this organization.`,
  )
}
