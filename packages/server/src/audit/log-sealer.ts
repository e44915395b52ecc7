import { logEvent } from '../base/log/log-event.ts'
import type { Log } from '../base/log.ts'
import { type Loop, startLoop } from '../base/loop.ts'
import { listUnsealed, openLog, type Unsealed } from '../storage/audit/logs.ts'
import type { FeedBreak } from '../storage/audit/stops.ts'
import { type SealParts, sealTurn } from './seal-turn.ts'

const EVERY_MS = 1_000
const ORGANIZATIONS_AT_ONCE = 1_000
/** How many logs are sealed at a time. Each takes a connection. */
const TURNS_AT_ONCE = 4
const FIRST = '00000000-0000-0000-0000-000000000000'

interface SealerParts extends SealParts {
  readonly log: Log
}

/**
 * Brings what was committed into the log of its organization, about once a second and off the way of
 * decisions. Every organization has one turn in a round, and a turn is bounded, so none holds up
 * another. Several processes may do it: each log is sealed by whoever has its lock.
 */
export function startLogSealer(parts: SealerParts): Loop {
  const { db, log } = parts

  async function run(isStopping: () => boolean): Promise<void> {
    let hasMore = false
    for (let after: string | undefined = FIRST; after !== undefined && !isStopping(); ) {
      const found = await listUnsealed(db, after, ORGANIZATIONS_AT_ONCE)
      const waiting = [...found]
      const work = async (): Promise<void> => {
        for (let log = waiting.shift(); log && !isStopping(); log = waiting.shift()) {
          if (await tryTurn(parts, log)) hasMore = true
        }
      }
      await Promise.all(Array.from({ length: TURNS_AT_ONCE }, work))
      const isWhole = found.length < ORGANIZATIONS_AT_ONCE
      after = isWhole ? undefined : found.at(-1)?.organizationId
    }
    if (hasMore) loop.wake()
  }

  const loop = startLoop({
    run,
    everyMs: EVERY_MS,
    // A round over many logs can take longer than that, and then the next one follows at once.
    catchesUp: true,
    failed: (err) => logEvent(log, 'audit.scan_failed', { err }),
  })
  return loop
}

/** The others have their turn whatever becomes of this one, which is tried again in the next round. */
async function tryTurn(parts: SealerParts, { organizationId, isNew }: Unsealed): Promise<boolean> {
  try {
    if (isNew) await openLog(parts.db, organizationId)
    const { hasMore, stopped } = await sealTurn(parts, organizationId)
    if (stopped) tellStopped(parts.log, organizationId, stopped)
    return hasMore
  } catch (err) {
    logEvent(parts.log, 'audit.seal_failed', { err, organizationId })
    return false
  }
}

/** In every round, because decisions go on and are not in the log: somebody has to look at it. */
function tellStopped(log: Log, organizationId: string, { lastLeaf, nextNumber }: FeedBreak): void {
  logEvent(log, 'audit.sealing_stopped', {
    organizationId,
    lastLeaf: String(lastLeaf),
    nextNumber: String(nextNumber),
  })
}
