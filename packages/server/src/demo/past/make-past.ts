import { listUnsealed } from '../../storage/audit/logs.ts'
import { postponeSyncs } from '../../storage/engine/embedded/postponed-syncs.ts'
import { callerWithKey } from '../caller.ts'
import type { DemoRecord } from '../record.ts'
import type { Owner } from '../sign-in-link.ts'
import type { ShopSecrets } from '../stand-ins/shop.ts'
import type { DemoGateway } from '../start.ts'
import { planApprovals, planFirstVendors } from './answers.ts'
import { planChanges, planWebhook } from './changes.ts'
import { planHolds } from './holds.ts'
import { planLastHours } from './last-hours.ts'
import { planOrdinary } from './plan.ts'
import { type Move, play } from './play.ts'
import { planRejections } from './rejections.ts'
import { setUp } from './set-up.ts'
import { createAgentsOf } from './spend.ts'
import type { StoryParts } from './story-parts.ts'
import { DAY_MS, DAYS, webhookFrom } from './times.ts'

/** The organization is half a day older than its first spend. */
export const PAST_MS = (DAYS + 0.5) * DAY_MS

export interface Past {
  readonly record: DemoRecord
  readonly owner: Owner
}

/**
 * Makes thirty days: the real gateway judges every spend, at the time at which it is said to have
 * happened. Nothing is written into the database in any other way.
 */
export async function makePast(
  gateway: DemoGateway,
  shop: ShopSecrets,
  tell: (part: number) => void,
): Promise<Past> {
  const { app, startedAt, clock, storage } = gateway
  const syncAgain = await postponeSyncs(storage.db)
  const { record, people } = await setUp(gateway, shop)
  const agents = createAgentsOf(gateway, record)
  const operator = callerWithKey(app, record.apiKey)
  const moves = [
    ...planOrdinary(startedAt, agents),
    ...planStory({ gateway, record, people, agents, operator }),
  ]
  await play(gateway, moves, { deliversFrom: webhookFrom(startedAt), tell })
  clock.release()
  await finish(gateway, operator)
  await syncAgain()
  return { record, owner: people.owner }
}

const LOOKS_MAX = 1_000

/** Waits until the audit log has every event, and the sums have every spend. */
async function finish(
  { upkeep, round, storage }: DemoGateway,
  operator: ReturnType<typeof callerWithKey>,
): Promise<void> {
  await round()
  for (let look = 0; look < LOOKS_MAX; look++) {
    await upkeep()
    const unsealed = await listUnsealed(storage.db, FIRST, 1)
    if (unsealed.length > 0) continue
    const { isCurrent } = await operator.get('/analytics/spend?metric=spend')
    if (isCurrent) return
  }
}

const FIRST = '00000000-0000-0000-0000-000000000000'

/** Everything that is not an ordinary purchase: rejections, approvals, refunds, stops, changes. */
function planStory(parts: StoryParts): Move[] {
  return [
    ...planFirstVendors(parts),
    ...planRejections(parts),
    ...planHolds(parts),
    ...planApprovals(parts),
    ...planChanges(parts),
    ...planWebhook(parts),
    ...planLastHours(parts),
  ]
}
