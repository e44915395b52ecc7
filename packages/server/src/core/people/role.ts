import { hasScope, SCOPES, type Scope } from '../api-key.ts'
import type { Principal } from '../principal.ts'

/** What a role is. Everything that is checked, documented and tested about roles follows from it. */
interface RoleDefinition {
  /** For people who choose a role for somebody. */
  readonly summary: string
  /** What its members may do at the API's endpoints. Null: everything. */
  readonly scopes: readonly Scope[] | null
  /** Whom they may invite, change, remove, and give links to. No API key can do that, whatever its scopes. */
  readonly manages: 'everyone' | 'all_but_owners' | 'nobody'
}

/** Who may make keys could act as somebody else, so even reading them is left out. */
const READS: readonly Scope[] = SCOPES.filter(
  (scope) => scope.endsWith(':read') && scope !== 'keys:read',
)

/** From the most to the least that a member may do. */
export const ROLES = {
  owner: {
    summary: 'Does everything, and manages everyone. The last one stays.',
    scopes: null,
    manages: 'everyone',
  },
  admin: {
    summary: 'Does everything but manage owners, or make somebody one.',
    scopes: null,
    manages: 'all_but_owners',
  },
  approver: {
    summary: 'Sees everything but API keys, and decides on approvals.',
    scopes: [...READS, 'approvals:write'],
    manages: 'nobody',
  },
  viewer: {
    summary: 'Sees everything but API keys, and changes nothing.',
    scopes: READS,
    manages: 'nobody',
  },
} as const satisfies Readonly<Record<string, RoleDefinition>>

export type Role = keyof typeof ROLES

/** The keys of the table, which the type of `keys` cannot express. */
export const ROLE_NAMES = Object.keys(ROLES) as readonly Role[]

export function isRole(text: string): text is Role {
  return Object.hasOwn(ROLES, text)
}

export function scopesOf(role: Role): Principal['scopes'] {
  return ROLES[role].scopes
}

/** The roles whose members may do what needs the scope. */
export function rolesWith(scope: Scope): Role[] {
  return ROLE_NAMES.filter((role) => hasScope({ scopes: scopesOf(role) }, scope))
}

/** Whether the role manages anybody at all. */
export function managesPeople(role: Role): boolean {
  return ROLES[role].manages !== 'nobody'
}

/** Whether a member with the first role may manage one with the second, and give somebody that role. */
export function mayManage(manager: Role, managed: Role): boolean {
  const { manages } = ROLES[manager]
  return manages === 'everyone' || (manages === 'all_but_owners' && managed !== 'owner')
}
