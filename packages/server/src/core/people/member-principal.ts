import type { Principal } from '../principal.ts'
import type { Instant } from '../time/instant.ts'
import type { Role } from './role.ts'

/** A member who has signed in. The scopes are those of the role, and there is no binding to agents. */
export interface MemberPrincipal extends Principal {
  readonly kind: 'member'
  readonly role: Role
  readonly email: string
  readonly name: string
  readonly sessionId: string
  /** When the person has last given the password. */
  readonly reauthenticatedAt: Instant
}

/** How long a person who has given the password may do what is sensitive. */
export const REAUTHENTICATED_MS = 5 * 60_000

export function isMember(principal: Principal): principal is MemberPrincipal {
  return principal.kind === 'member'
}
