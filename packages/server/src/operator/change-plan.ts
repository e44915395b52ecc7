import { actorText, OPERATOR } from '../core/actor.ts'
import { usageEvents } from '../core/events/usage-events.ts'
import { type Plan, usageMonth } from '../core/plan.ts'
import type { Instant } from '../core/time/instant.ts'
import type { Storage } from '../process/open-storage.ts'
import { toOrganizationId } from '../process/setup.ts'
import { recordChange } from '../storage/changes.ts'
import { lockPlanUsage } from '../storage/decisions/read-accounts.ts'
import { readClock } from '../storage/engine/clock.ts'
import type { Tx } from '../storage/engine/database.ts'
import { findRequestTerms, lockOrganization, setPlan } from '../storage/organizations.ts'
import { readSubscription, tellEvents, toPlanRows } from '../storage/webhooks/subscriptions.ts'

/** Moves an organization, named by its public id, to a different plan. Throws a readable error. */
export async function changePlan(
  { db }: Pick<Storage, 'db'>,
  organizationId: string,
  plan: Plan,
): Promise<void> {
  const id = toOrganizationId(organizationId)
  await db.transaction(async (tx) => {
    if ((await findRequestTerms(tx, id)) === undefined) {
      throw new Error(`There is no organization ${organizationId} in this database.`)
    }
    const [before, at] = await Promise.all([lockOrganization(tx, id), readClock(tx)])
    await setPlan(tx, id, plan, at, actorText(OPERATOR))
    await tellUsage(tx, id, before.plan, plan, at)
    recordChange(tx, id, OPERATOR, {
      operation: 'organization.plan_changed',
      subjectId: organizationId,
      at,
      before: { plan: before.plan },
      after: { plan },
    })
  })
}

/** A smaller plan can push the usage over a threshold, just as an evaluation can. */
async function tellUsage(tx: Tx, id: string, from: Plan, to: Plan, at: Instant): Promise<void> {
  const used = await lockPlanUsage(tx, id, usageMonth(at).month)
  const crossed = usageEvents({ plan: from, used }, { plan: to, used }, at)
  if (crossed.length === 0) return
  const subscription = await readSubscription(tx, id)
  const events = toPlanRows(crossed, subscription, at)
  for (const statement of tellEvents(id, at, events, subscription)) tx.sendLast(statement)
}
