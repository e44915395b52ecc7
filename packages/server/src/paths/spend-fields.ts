import { Type } from 'typebox'
import { agentNotFound } from '../core/agent.ts'
import { type ApiKey, actsFor, onlyAgentOf } from '../core/api-key.ts'
import { invalidFields } from '../errors.ts'
import { AgentId, Metadata } from '../http/schemas.ts'

/** What a spend may say of itself on every path that an agent calls. It is kept, and mostly not judged. */
export const ToldFields = {
  reference: Type.Optional(
    Type.String({ minLength: 1, maxLength: 255, description: 'Your own name for the purchase.' }),
  ),
  reason: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1_000,
      description: 'Why the agent spends; kept, not judged.',
    }),
  ),
  metadata: Type.Optional(Metadata),
}

/** Who spends. */
export const SpenderId = Type.Optional({
  ...AgentId,
  description: 'The id of an agent. A key that is bound to one agent may leave it out.',
})

/** The agent that is named, or the only one that the key is bound to. */
export function spenderOf(
  apiKey: Pick<ApiKey, 'agentIds'>,
  { agentId: named }: { readonly agentId?: string },
): string {
  const agentId = named ?? onlyAgentOf(apiKey)
  if (agentId === undefined) {
    throw invalidFields([{ path: '/agentId', code: 'required', message: 'is required' }])
  }
  if (!actsFor(apiKey, agentId)) throw agentNotFound(agentId)
  return agentId
}
