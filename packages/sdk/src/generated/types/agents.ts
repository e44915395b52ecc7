// Written by `npm run generate` from openapi.json. Do not change it by hand.

import type { SortByUse } from './common.ts'
import type { Mandate } from './mandates.ts'

/**
 * `active`: the agent can spend. `paused`: every spend of the agent is rejected; it keeps its
 * mandate.
 */
export type AgentStatus = 'active' | 'paused'

export interface AgentInput {
  /**
   * A name for people to read, 1 to 120 characters. Control characters, invisible characters (such
   * as U+200B or U+3164) and text-direction marks are not allowed. U+200C and U+200D are allowed
   * where a script needs them (between letters, U+200D after a virama, U+200C between Arabic
   * letters and digits), and U+200D also in emoji.
   */
  readonly name: string
  /** A description of the agent for people, at most 1,000 characters. */
  readonly description?: string | null | undefined
  readonly status?: AgentStatus | undefined
  /** The agent's id in your own systems. Unique among your agents. */
  readonly externalId?: string | null | undefined
  /** Your own labels for the agent, at most 32. The list of agents can filter by them. */
  readonly tags?: readonly string[] | undefined
  /**
   * Your own key-value data: up to 20 entries, with names of 1 to 64 characters and values of at
   * most 500.
   */
  readonly metadata?: Readonly<Record<string, string>> | undefined
}

export interface Agent {
  /** The id of an agent. */
  readonly id: string
  /**
   * A name for people to read, 1 to 120 characters. Control characters, invisible characters (such
   * as U+200B or U+3164) and text-direction marks are not allowed. U+200C and U+200D are allowed
   * where a script needs them (between letters, U+200D after a virama, U+200C between Arabic
   * letters and digits), and U+200D also in emoji.
   */
  readonly name: string
  /** A description of the agent for people, at most 1,000 characters. */
  readonly description: string | null
  readonly status: AgentStatus
  /** The agent's id in your own systems. Unique among your agents. */
  readonly externalId: string | null
  /** Your own labels for the agent, at most 32. The list of agents can filter by them. */
  readonly tags: readonly string[]
  /**
   * Your own key-value data: up to 20 entries, with names of 1 to 64 characters and values of at
   * most 500.
   */
  readonly metadata: Readonly<Record<string, string>>
  /** ISO 8601 timestamp in UTC. */
  readonly createdAt: string
  /** ISO 8601 timestamp in UTC. */
  readonly updatedAt: string
  /**
   * Who made the change: an API key (`key_…`), a member (`mem_…`), `cli` for an operator command,
   * or `system` for the gateway itself. Null if it was not recorded.
   */
  readonly updatedBy: string | null
  /**
   * The current or last name of that key or member. Null for `cli` and `system`, and for
   * agent-bound keys. Only in responses to GET.
   */
  readonly updatedByName?: string | null | undefined
  /** When the agent last requested a decision (ISO 8601, UTC). */
  readonly lastSeenAt: string | null
  /** The active mandate. Only present with `include=mandate`. Null if there is none. */
  readonly mandate?: Mandate | null | undefined
}

/** `mandate`: the active mandate of each agent. */
export type AgentInclude = 'mandate'

export interface AgentList {
  /** The entries of this page, newest first. */
  readonly data: readonly Agent[]
  /** How many entries match in total. Counting stops at 10,000. */
  readonly total: number
  /** False if there are, or may be, more entries than `total`. */
  readonly totalIsExact: boolean
  /** The `limit` of the request. */
  readonly limit: number
  /** The `offset` of the request. */
  readonly offset: number
  /** Whether there is a next page. */
  readonly hasMore: boolean
  /** Pass this value as `cursor` to get the next page. Null on the last page. */
  readonly nextCursor: string | null
}

export interface AgentChange {
  /**
   * A name for people to read, 1 to 120 characters. Control characters, invisible characters (such
   * as U+200B or U+3164) and text-direction marks are not allowed. U+200C and U+200D are allowed
   * where a script needs them (between letters, U+200D after a virama, U+200C between Arabic
   * letters and digits), and U+200D also in emoji.
   */
  readonly name?: string | undefined
  /** A description of the agent for people, at most 1,000 characters. */
  readonly description?: string | null | undefined
  readonly status?: AgentStatus | undefined
  /** The agent's id in your own systems. Unique among your agents. */
  readonly externalId?: string | null | undefined
  /** Your own labels for the agent, at most 32. The list of agents can filter by them. */
  readonly tags?: readonly string[] | undefined
  /**
   * Your own key-value data: up to 20 entries, with names of 1 to 64 characters and values of at
   * most 500.
   */
  readonly metadata?: Readonly<Record<string, string>> | undefined
  /**
   * The reason for pausing or resuming the agent. Only allowed with `status`, at most 500
   * characters. The audit log keeps it.
   */
  readonly reason?: string | undefined
  /**
   * The `updatedAt` that your change is based on (ISO 8601, UTC). If it is different now, the
   * response is 409 `changed_meanwhile`, which lists the changes, and nothing is changed. The
   * header If-Match does the same.
   */
  readonly expectedUpdatedAt?: string | undefined
}

export interface DeletedAgent {
  /** The id of an agent. */
  readonly id: string
  /** The agent is deleted. */
  readonly deleted: true
}

/** The query of “List agents, newest first”. */
export interface ListAgentsQuery {
  /** How many entries a page has. */
  readonly limit?: number | undefined
  /** How many entries to skip. */
  readonly offset?: number | undefined
  /** The `nextCursor` of the previous page. Use it instead of `offset`. */
  readonly cursor?: string | undefined
  /** Also return each agent's active mandate as `mandate`. Null if the agent has none. */
  readonly include?: AgentInclude | undefined
  /** Only agents with this status. */
  readonly status?: AgentStatus | undefined
  /** Only the agent with this `externalId`. */
  readonly externalId?: string | undefined
  /**
   * Only agents with this tag, or with one of these tags. Several values, at most 20, are separated
   * by commas.
   */
  readonly tag?: string | undefined
  /** Only agents whose name or `externalId` contains this text, in upper or lower case. */
  readonly q?: string | undefined
  /**
   * Largest used part of the budget first, for agents that of the active mandate. Default: newest
   * first. Budgets change while you page, so an entry can appear twice or not at all.
   */
  readonly sort?: SortByUse | undefined
}

/** The query of “Get one agent”. */
export interface GetAgentQuery {
  /** Also return each agent's active mandate as `mandate`. Null if the agent has none. */
  readonly include?: AgentInclude | undefined
}
