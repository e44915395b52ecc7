import type { Member } from '../../../generated/console-api.ts'
import type { Role } from '../../../words/roles.ts'

/** No scope stands for managing people: owners manage everyone, admins everyone but owners. */
export function managesMembers(role: Role): boolean {
  return role === 'owner' || role === 'admin'
}

/** The roles that a member may give to others. */
export function grantableRoles(role: Role): readonly Role[] {
  if (role === 'owner') return ['owner', 'admin', 'approver', 'viewer']
  return role === 'admin' ? ['admin', 'approver', 'viewer'] : []
}

/** Why a member may not change another; undefined if they may. */
export function refusalFor(own: Role, other: Member): string | undefined {
  if (!managesMembers(own)) return 'For owners and admins.'
  return own !== 'owner' && other.role === 'owner' ? 'Only an owner can change owners.' : undefined
}

/** The gateway always keeps one owner, so that someone can manage everyone. */
export function isLastOwner(member: Member, members: readonly Member[]): boolean {
  return member.role === 'owner' && members.filter(({ role }) => role === 'owner').length === 1
}

export const LAST_OWNER =
  'The last owner cannot be removed or get a different role. Make another member an owner first.'

/** The address that opens a link. The gateway knows its own only where the operator set it. */
export function linkOf({ url, token }: { url: string | null; token: string }, origin: string) {
  return url ?? `${origin}/accept#${token}`
}
