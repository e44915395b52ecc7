import { Type } from 'typebox'
import { invalidFields } from '../base/errors.ts'
import { agentNotFound } from '../core/agent.ts'
import { actsFor, onlyAgentOf } from '../core/api-key.ts'
import type { Principal } from '../core/principal.ts'
import { AgentId, fromPublicId, Metadata, publicId } from '../http/document/schemas.ts'

/**
 * The optional fields of a spend on every path that an agent calls. They are stored, and mostly not
 * judged.
 */
export const ToldFields = {
  reference: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'Your own reference for the purchase, such as an order number.',
    }),
  ),
  reason: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1_000,
      description: 'Why the agent spends. Stored with the transaction; no rule uses it.',
    }),
  ),
  metadata: Type.Optional(Metadata),
}

/** The approval that a spend presents, on the paths that accept one. */
export const PresentedApproval = Type.Optional({
  ...publicId('apr', 'the approval'),
  description:
    'The id of the approval that this spend requested when it was rejected. If a person has approved it, it lets this spend pass once.',
})

/** Converts it to the gateway's form. */
export function permitOf({ approvalId }: { readonly approvalId?: string }) {
  return approvalId === undefined ? {} : { permit: { id: fromPublicId('apr', approvalId) } }
}

/** The agent that spends. */
export const SpenderId = Type.Optional({
  ...AgentId,
  description: 'The id of the agent. Optional for a key that is bound to exactly one agent.',
})

/** Returns the named agent, or the only one that the key is bound to. */
export function spenderOf(
  principal: Pick<Principal, 'agentIds'>,
  { agentId: named }: { readonly agentId?: string },
): string {
  const agentId = named ?? onlyAgentOf(principal)
  if (agentId === undefined) {
    throw invalidFields([{ path: '/agentId', code: 'required', message: 'is required' }])
  }
  if (!actsFor(principal, agentId)) throw agentNotFound(agentId)
  return agentId
}
