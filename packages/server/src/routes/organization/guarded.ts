import { Type } from 'typebox'
import { Problem } from '../../base/errors.ts'
import type { Principal } from '../../core/principal.ts'
import type { Sensitive } from '../../http/auth/reauthentication.ts'
import { Money, nullable } from '../../http/document/schemas.ts'
import type { Tx } from '../../storage/engine/database.ts'
import { findMember } from '../../storage/people/members.ts'

const RequireFourEyes = Type.Boolean({
  description:
    'Whether another person has to answer a request for approval than the one who asked. A key then counts as the member who made it, through all keys in between, and so does a member whose invitation or reset link the asking person made, or whose reset link of theirs was taken, after the request was opened. Whoever answers must not have made a reset link for the member who asked, since 7 days before the request. A key that leads to no member cannot answer. Off by default. Only an owner with a session can change it.',
})

const ApprovalPasswordAbove = nullable(
  Type.Number({
    ...Money,
    description:
      'A member who approves a request for more than this must have given the password within five minutes. In units of the currency of the organization; a request in another currency always needs the password. Null, the default: none does.',
    examples: [500],
  }),
)

/**
 * A body that freezes and does nothing else stops all spending at once. The currency is among them because
 * `approvalPasswordAbove` is in it: in another currency the same figure allows more.
 */
export const SENSITIVE_SETTINGS: Sensitive = [
  {
    field: 'frozen',
    when: 'unless the body is `{"frozen": true}`',
    isNeeded: (body) => body['frozen'] !== true || Object.keys(body).length > 1,
  },
  { field: 'x402Fetch', when: 'where it is true', isNeeded: (body) => body['x402Fetch'] === true },
  ...['currency', 'webhookUrl', 'acp', 'requireFourEyes', 'approvalPasswordAbove'],
]

/** What the organization demands of those who answer requests for approval. */
export const ANSWER_TERMS = {
  requireFourEyes: RequireFourEyes,
  approvalPasswordAbove: ApprovalPasswordAbove,
}

/**
 * Who could switch four eyes off would be a pair of them: so no key can, and of the members only owners.
 * The caller has locked the organization, so the role stays.
 */
export async function requireOwner(tx: Tx, principal: Principal): Promise<void> {
  if (principal.kind === 'key') {
    throw new Problem(
      'session_required',
      'Only a signed-in owner can change requireFourEyes. API keys cannot, whatever their scopes.',
    )
  }
  const member = await findMember(tx, principal.organizationId, principal.id)
  if (!member) throw new Problem('unauthenticated', 'The session has ended. Sign in again.')
  if (member.role === 'owner') return
  throw new Problem(
    'insufficient_role',
    `The role ${member.role} cannot change requireFourEyes. An owner can.`,
  )
}
