import { planApprovals, planFirstVendors } from './answers.ts'
import { planChanges, planWebhook } from './changes.ts'
import { planHolds } from './holds.ts'
import { planLastHours } from './last-hours.ts'
import type { Move } from './play.ts'
import { planRejections } from './rejections.ts'
import type { StoryParts } from './story-parts.ts'

/** Everything that is not an ordinary purchase: rejections, approvals, refunds, stops, changes. */
export function planStory(parts: StoryParts): Move[] {
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
