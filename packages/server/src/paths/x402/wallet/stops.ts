import type { SpenderState } from '../../../storage/spending-stops.ts'

/** Who or what stops a payment, as the beginning of a sentence; undefined if nothing does. */
export function stopOf(state: SpenderState): string | undefined {
  if (state.isFrozen) return 'The organization has stopped all spending'
  if (state.agentStatus !== 'active') return 'The agent is paused'
  if (state.mandateStatuses.some((status) => status === 'revoked')) return 'The mandate is revoked'
  return state.isAskerLive ? undefined : 'The API key is revoked'
}
