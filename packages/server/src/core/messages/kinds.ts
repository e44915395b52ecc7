import { hasScope } from '../api-key.ts'
import { type Role, scopesOf } from '../people/role.ts'

/** The kinds of messages that a member can choose. */
export const MESSAGE_KINDS = ['approvals', 'budget', 'endpoints'] as const

export type MessageKind = (typeof MESSAGE_KINDS)[number]

/** The defaults of each role: members get messages about things that they can act on. */
const DEFAULTS: Readonly<Record<Role, readonly MessageKind[]>> = {
  owner: MESSAGE_KINDS,
  admin: MESSAGE_KINDS,
  approver: ['approvals'],
  viewer: [],
}

/** The kinds that a member with this role can choose: approvals only if the role may answer them. */
export function offeredKinds(role: Role): MessageKind[] {
  const mayAnswer = hasScope({ scopes: scopesOf(role) }, 'approvals:write')
  return MESSAGE_KINDS.filter((kind) => kind !== 'approvals' || mayAnswer)
}

/**
 * The kinds that a member gets. `chosen` is null if the member has chosen none. A choice can be older
 * than the role.
 */
export function wantedKinds(role: Role, chosen: readonly string[] | null): MessageKind[] {
  const wanted: readonly string[] = chosen ?? DEFAULTS[role]
  return offeredKinds(role).filter((kind) => wanted.includes(kind))
}
