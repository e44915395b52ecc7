import { Type } from 'typebox'
import { Problem } from '../../base/errors.ts'
import type { Principal } from '../../core/principal.ts'
import type { Sensitive } from '../../http/auth/reauthentication.ts'
import { Money, nullable } from '../../http/document/schemas.ts'
import type { Tx } from '../../storage/engine/database.ts'
import { findMember } from '../../storage/people/members.ts'

const RequireFourEyes = Type.Boolean({
  description:
    'Whether a second person must decide on an approval request: the requesting member cannot. These count as the requesting member: every key that the member created, directly or through other keys; a member for whom they created an invitation or reset link after the request was opened; and a member who used a reset link of theirs after that. A member who created a reset link for the requesting member, less than 7 days before the request or after it, cannot decide either. Nor can a key that no member created, directly or through other keys. Default: false. Only an owner in a session can change it.',
})

const ApprovalPasswordAbove = nullable(
  Type.Number({
    ...Money,
    description:
      "To approve a request above this amount, a member must have entered the password within the last five minutes. In units of the organization's currency; a request in a different currency always needs the password. Null (default): no request needs it.",
    examples: [500],
  }),
)

/**
 * Freezing never needs the password: it stops all spending, and must take one press. Resuming needs it.
 * The currency is in the list because `approvalPasswordAbove` is in that currency: in another one, the same number allows
 * more.
 */
export const SENSITIVE_SETTINGS: Sensitive = [
  {
    field: 'frozen',
    when: 'with the value false',
    isNeeded: (body) => body['frozen'] !== true,
  },
  {
    field: 'x402Fetch',
    when: 'with the value true',
    isNeeded: (body) => body['x402Fetch'] === true,
  },
  ...[
    'currency',
    'webhookUrl',
    'webhookEndpoints',
    'acp',
    'requireFourEyes',
    'approvalPasswordAbove',
  ],
]

/** The organization's conditions for decisions on approval requests. */
export const ANSWER_TERMS = {
  requireFourEyes: RequireFourEyes,
  approvalPasswordAbove: ApprovalPasswordAbove,
}

/**
 * Anyone who could switch four eyes off could bypass it. So no key can, and only owners among the
 * members. The caller has locked the organization, so the role cannot change meanwhile.
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
