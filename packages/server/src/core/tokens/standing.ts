import type { AgentStatus } from '../agent.ts'
import { budgetAt, type Mandate, statusAt } from '../mandates/mandate.ts'
import { type Instant, toIso } from '../time/instant.ts'

/** The data that decides whether an agent's mandate can be attested. */
export interface TokenAccount {
  readonly isFrozen: boolean
  readonly agentStatus: AgentStatus
  /** The agent's own mandate first, then its ancestors. Empty if the agent has no active mandate. */
  readonly line: readonly Mandate[]
}

export type InactiveReason =
  | 'organization_frozen'
  | 'agent_paused'
  | 'no_mandate'
  | 'draft'
  | 'revoked'
  | 'expired'
  | 'not_started'
  | 'exhausted'

export interface Inactive {
  readonly reason: InactiveReason
  /** One sentence. It does not distinguish the agent's own mandate from its ancestors. */
  readonly message: string
}

/**
 * The reason why nothing can be attested now, in the order of the gate; undefined if there is none. A
 * used-up budget is not a reason, because the mandate is still valid: see isExhausted.
 */
export function whyInactive(account: TokenAccount, now: Instant): Inactive | undefined {
  const { isFrozen, agentStatus, line } = account
  if (isFrozen) {
    return {
      reason: 'organization_frozen',
      message: 'The organization has stopped all spending.',
    }
  }
  if (agentStatus === 'paused') return { reason: 'agent_paused', message: 'The agent is paused.' }
  if (line.length === 0) return withoutActive(undefined)
  return ended(line, now) ?? notStarted(line, now)
}

/** The answer for an agent without an active mandate; `last` is the state of its latest one. */
export function withoutActive(last: 'draft' | 'revoked' | 'expired' | undefined): Inactive {
  if (last === undefined) return { reason: 'no_mandate', message: 'The agent has no mandate.' }
  return { reason: last, message: `The agent has no active mandate: ${WORDS[last]}.` }
}

const WORDS = {
  draft: 'its mandate is a draft that was never activated',
  revoked: 'the last one was revoked',
  expired: 'the last one has expired',
}

export function isExhausted(line: readonly Mandate[], now: Instant): boolean {
  return line.some((mandate) => budgetAt(mandate, now).exhausted)
}

/** The first instant at which a mandate of the line ends; null if none of them ends. */
export function endOfLine(line: readonly Mandate[]): Instant | null {
  const ends = line.flatMap(({ validUntil }) => validUntil ?? [])
  return ends.length === 0 ? null : Math.min(...ends)
}

function ended(line: readonly Mandate[], now: Instant): Inactive | undefined {
  for (const mandate of line) {
    const status = statusAt(mandate, now)
    if (status !== 'active') return withoutActive(status)
  }
  return undefined
}

function notStarted(line: readonly Mandate[], now: Instant): Inactive | undefined {
  const from = Math.max(...line.map(({ validFrom }) => validFrom ?? now))
  if (from <= now) return undefined
  return { reason: 'not_started', message: `The mandate is valid from ${toIso(from)}.` }
}
