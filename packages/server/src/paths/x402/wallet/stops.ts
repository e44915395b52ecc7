import type { Spender, SpenderState } from '../../../storage/spending-stops.ts'

/** Who or what stops a payment, as the beginning of a sentence; undefined if nothing does. */
export function stopOf(
  state: SpenderState,
  { askedBy }: Pick<Spender, 'askedBy'>,
): string | undefined {
  if (state.isFrozen) return 'The organization has stopped all spending'
  if (state.agentStatus !== 'active') return 'The agent is paused'
  if (state.mandateStatuses.some((status) => status === 'revoked')) return 'The mandate is revoked'
  if (state.isAskerLive) return undefined
  return askedBy.kind === 'member' ? 'The member was removed' : 'The API key is revoked'
}
