import { Problem } from '../../../errors.ts'

/** Lets a bounded number of long calls run at a time. */
export interface CallSlots {
  take<T>(organizationId: string, run: () => Promise<T>): Promise<T>
}

/**
 * A call that finds no free slot is refused, and its caller is asked to come back: a queue would
 * only hide the load from the caller.
 */
export function createCallSlots({ total, each }: { total: number; each: number }): CallSlots {
  const taken = new Map<string, number>()
  let allTaken = 0
  return {
    async take(organizationId, run) {
      const own = taken.get(organizationId) ?? 0
      if (allTaken >= total || own >= each) {
        const detail = `${own >= each ? own : allTaken} calls to vendors are under way. Repeat this one shortly, with the same Idempotency-Key.`
        throw new Problem('overloaded', detail, { retryAfterSeconds: 1 })
      }
      allTaken += 1
      taken.set(organizationId, own + 1)
      try {
        return await run()
      } finally {
        allTaken -= 1
        const left = (taken.get(organizationId) ?? 1) - 1
        if (left === 0) taken.delete(organizationId)
        else taken.set(organizationId, left)
      }
    },
  }
}
