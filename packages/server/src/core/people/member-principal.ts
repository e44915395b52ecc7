import type { Principal } from '../principal.ts'
import type { Instant } from '../time/instant.ts'
import type { Role } from './role.ts'

/** A signed-in member. The scopes are those of the role, and members are not bound to agents. */
export interface MemberPrincipal extends Principal {
  readonly kind: 'member'
  readonly role: Role
  readonly email: string
  readonly name: string
  readonly sessionId: string
  /** The time at which the person last entered the password. */
  readonly reauthenticatedAt: Instant
}

/** How long a person may make sensitive changes after entering the password. */
export const REAUTHENTICATED_MS = 5 * 60_000

export function isMember(principal: Principal): principal is MemberPrincipal {
  return principal.kind === 'member'
}
