import { Problem } from '../base/errors.ts'
import type { Instant } from './time/instant.ts'

export type AgentStatus = 'active' | 'paused'

export interface Agent {
  readonly id: string
  readonly name: string
  readonly description: string | null
  /** A paused agent keeps its mandate and may not spend. */
  readonly status: AgentStatus
  /** What the organization calls the agent in its own systems; unique among its agents. */
  readonly externalId: string | null
  readonly tags: readonly string[]
  readonly metadata: Readonly<Record<string, string>>
  readonly createdAt: Instant
  readonly updatedAt: Instant
  /** As `actorText` shows it; null if it was not kept. */
  readonly updatedBy: string | null
  readonly lastSeenAt: Instant | null
}

/** Also used for another organization's agent, and for an agent that the key may not act for. */
export function agentNotFound(id: string): Problem {
  return new Problem('agent_not_found', `Agent ${id} does not exist in this organization.`)
}
