import { logEvent } from '../base/log/log-event.ts'
import type { Log } from '../base/log.ts'
import type { Instant } from '../core/time/instant.ts'
import type { Database } from '../storage/engine/database.ts'
import { isLockTimeout } from '../storage/engine/storage-error.ts'
import { type DueLane, keyOf, type Lane } from '../storage/webhooks/lanes.ts'
import { type FanOut, fanOut } from './fan-out.ts'

/** How many organizations one round divides the events of; the others follow in the next round. */
const ORGANIZATIONS_AT_ONCE = 16

/** The lanes that can be claimed once shared lanes are divided. */
interface Divided {
  readonly lanes: readonly Lane[]
  /** Whether a further round should follow at once. */
  readonly hasMore: boolean
}

/**
 * Divides the due events of organizations with several endpoints. Each organization has its own
 * transaction, so that one that fails does not delay the others.
 */
export async function divideShared(
  parts: { readonly db: Database; readonly log: Log },
  due: readonly DueLane[],
  now: Instant,
): Promise<Divided> {
  const lanes = new Map<string, Lane>()
  for (const { organizationId, endpointId } of due.filter(({ isShared }) => !isShared)) {
    lanes.set(keyOf({ organizationId, endpointId }), { organizationId, endpointId })
  }
  const shared = due.filter(({ isShared }) => isShared)
  // At random, so that organizations with many events do not keep others waiting.
  const turn = Math.floor(Math.random() * shared.length)
  const chosen = [...shared.slice(turn), ...shared.slice(0, turn)].slice(0, ORGANIZATIONS_AT_ONCE)
  let hasMore = shared.length > chosen.length
  for (const { organizationId } of chosen) {
    const divided = await divideOne(parts, organizationId, now)
    hasMore ||= divided.hasMore
    for (const endpointId of divided.endpointIds) {
      lanes.set(keyOf({ organizationId, endpointId }), { organizationId, endpointId })
    }
  }
  return { lanes: [...lanes.values()], hasMore }
}

const NOTHING: FanOut = { endpointIds: [], hasMore: false }

async function divideOne(
  { db, log }: { readonly db: Database; readonly log: Log },
  organizationId: string,
  now: Instant,
): Promise<FanOut> {
  try {
    return await db.transaction((tx) => fanOut(tx, organizationId, now))
  } catch (err) {
    // A request is changing the endpoints. The next round divides the events.
    if (!isLockTimeout(err)) logEvent(log, 'webhooks.fan_out_failed', { err, organizationId })
    return NOTHING
  }
}
