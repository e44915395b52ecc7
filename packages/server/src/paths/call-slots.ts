import { Problem } from '../base/errors.ts'

/** The agent for which the gateway calls a vendor. */
interface Caller {
  readonly organizationId: string
  readonly agentId: string
}

/** Limits the number of concurrent long calls. */
export interface CallSlots {
  take<T>(caller: Caller, run: () => Promise<T>): Promise<T>
}

/**
 * No organization has more slots than are still free (ADR 31). An organization that is alone gets
 * half of all slots, the next one half of the rest, and so on. The same rule shares the slots of
 * one organization among its agents. So slow vendors of one organization never take the last slot
 * from the others.
 *
 * A call without a free slot is refused, and its caller has to retry: a queue would only hide the
 * load from the caller.
 */
export function createCallSlots(total: number): CallSlots {
  const perOrganization = Math.floor(total / 2)
  const all = createTally()
  const byOrganization = createTally()
  const byAgent = createTally()

  function refuseIfNoneIsFree(organization: string, agent: string): void {
    const ofOrganization = byOrganization.of(organization)
    const freeForAgents = perOrganization - ofOrganization
    const mayCall =
      ofOrganization < total - all.of('') && byAgent.of(agent) < Math.max(freeForAgents, 0)
    if (mayCall) return
    throw new Problem(
      'overloaded',
      `The organization has ${ofOrganization} calls to vendors in progress, ${byAgent.of(agent)} of them for this agent; the free slots are reserved for others. Retry shortly with the same Idempotency-Key.`,
      { retryAfterSeconds: 1 },
    )
  }

  return {
    async take({ organizationId, agentId }, run) {
      const agent = `${organizationId}/${agentId}`
      refuseIfNoneIsFree(organizationId, agent)
      const taken = [all.add(''), byOrganization.add(organizationId), byAgent.add(agent)]
      try {
        return await run()
      } finally {
        for (const giveBack of taken) giveBack()
      }
    },
  }
}

interface Tally {
  of(name: string): number
  /** Increments the count. The returned function decrements it. */
  add(name: string): () => void
}

/** Drops names whose count is 0. */
function createTally(): Tally {
  const counts = new Map<string, number>()
  const of = (name: string): number => counts.get(name) ?? 0
  return {
    of,
    add(name) {
      counts.set(name, of(name) + 1)
      return () => {
        if (of(name) === 1) counts.delete(name)
        else counts.set(name, of(name) - 1)
      }
    },
  }
}
