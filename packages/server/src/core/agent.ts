import { Problem } from '../base/errors.ts'
import type { Instant } from './time/instant.ts'

export type AgentStatus = 'active' | 'paused'

export interface Agent {
  readonly id: string
  readonly name: string
  readonly description: string | null
  /** A paused agent keeps its mandate and may not spend. */
  readonly status: AgentStatus
  /** The organization's own id for the agent; unique among its agents. */
  readonly externalId: string | null
  readonly tags: readonly string[]
  readonly metadata: Readonly<Record<string, string>>
  readonly createdAt: Instant
  readonly updatedAt: Instant
  /** The text of `actorText`; null if it was not stored. */
  readonly updatedBy: string | null
  readonly lastSeenAt: Instant | null
}

/** Also returned for an agent of a different organization, and for one that the key may not act for. */
export function agentNotFound(id: string): Problem {
  return new Problem('agent_not_found', `Agent ${id} does not exist in this organization.`)
}
