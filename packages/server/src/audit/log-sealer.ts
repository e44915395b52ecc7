import { logEvent } from '../base/log/log-event.ts'
import type { Log } from '../base/log.ts'
import { type Loop, startLoop } from '../base/loop.ts'
import { listUnsealed, openLog, type Unsealed } from '../storage/audit/logs.ts'
import type { FeedBreak } from '../storage/audit/stops.ts'
import { type SealParts, sealTurn } from './seal-turn.ts'

const EVERY_MS = 1_000
const ORGANIZATIONS_AT_ONCE = 1_000
/** How many audit logs are sealed at the same time. Each takes a connection. */
const TURNS_AT_ONCE = 4
const FIRST = '00000000-0000-0000-0000-000000000000'

interface SealerParts extends SealParts {
  readonly log: Log
}

/**
 * Appends committed events and changes to the audit log of their organization, about once a second
 * and without delaying decisions. Every organization gets one bounded turn per round, so none
 * delays the others. Several processes may run a sealer: the one that gets an audit log's lock
 * seals it (ADR 45).
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
    // If a round over many audit logs takes longer than that, the next one follows at once.
    catchesUp: true,
    failed: (err) => logEvent(log, 'audit.scan_failed', { err }),
  })
  return loop
}

/** A failure does not affect the other organizations. This one is retried in the next round. */
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

/**
 * Repeats the warning in every round, because new decisions are not sealed: an operator must act.
 */
function tellStopped(log: Log, organizationId: string, { lastLeaf, nextNumber }: FeedBreak): void {
  logEvent(log, 'audit.sealing_stopped', {
    organizationId,
    lastLeaf: String(lastLeaf),
    nextNumber: String(nextNumber),
  })
}
