import { hasScope, SCOPES, type Scope } from '../api-key.ts'
import type { Principal } from '../principal.ts'

/** The definition of a role. All checks, documents and tests about roles follow from it. */
interface RoleDefinition {
  /** A description for people who choose a role for a member. */
  readonly summary: string
  /** The scopes of its members at the API's endpoints. Null: all. */
  readonly scopes: readonly Scope[] | null
  /**
   * The members that this role may invite, change, remove and create links for. No API key can do that,
   * with any scopes.
   */
  readonly manages: 'everyone' | 'all_but_owners' | 'nobody'
}

/** Leaves out keys, even reading them: a member who can create keys could act as someone else. */
const READS: readonly Scope[] = SCOPES.filter(
  (scope) => scope.endsWith(':read') && scope !== 'keys:read',
)

/** Sorted from the most powerful role to the least. */
export const ROLES = {
  owner: {
    summary: 'Can do everything and manage everyone. The last owner cannot be removed or demoted.',
    scopes: null,
    manages: 'everyone',
  },
  admin: {
    summary: 'Can do everything except manage owners or make a member an owner.',
    scopes: null,
    manages: 'all_but_owners',
  },
  approver: {
    summary: 'Can see everything except API keys, and can decide on approval requests.',
    scopes: [...READS, 'approvals:write'],
    manages: 'nobody',
  },
  viewer: {
    summary: 'Can see everything except API keys. Cannot change anything.',
    scopes: READS,
    manages: 'nobody',
  },
} as const satisfies Readonly<Record<string, RoleDefinition>>

export type Role = keyof typeof ROLES

/** The keys of the table; the type of `Object.keys` cannot express that. */
export const ROLE_NAMES = Object.keys(ROLES) as readonly Role[]

export function isRole(text: string): text is Role {
  return Object.hasOwn(ROLES, text)
}

export function scopesOf(role: Role): Principal['scopes'] {
  return ROLES[role].scopes
}

/** The roles that have the scope. */
export function rolesWith(scope: Scope): Role[] {
  return ROLE_NAMES.filter((role) => hasScope({ scopes: scopesOf(role) }, scope))
}

/** Whether the role manages any members. */
export function managesPeople(role: Role): boolean {
  return ROLES[role].manages !== 'nobody'
}

/** Whether a member with the first role may manage members with the second, and assign that role. */
export function mayManage(manager: Role, managed: Role): boolean {
  const { manages } = ROLES[manager]
  return manages === 'everyone' || (manages === 'all_but_owners' && managed !== 'owner')
}
