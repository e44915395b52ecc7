import type { OutboundClient } from '../outbound/outbound-client.ts'
import type { DecisionClock } from '../storage/clock.ts'
import type { Database } from '../storage/database.ts'
import type { Sealer } from '../storage/sealed.ts'
import { type AttemptEnd, endAttempts } from '../storage/webhook-attempts.ts'
import { listDueOrganizations } from '../storage/webhook-queue.ts'
import { type Attempt, makeAttempt } from './attempt.ts'
import { claimDue } from './claim.ts'
import { createCompletion } from './completion.ts'
import { createLanes, type Lanes } from './lanes.ts'
import { startRounds } from './rounds.ts'

/** Organizations that are served in one round; the next round begins behind the last of them. */
const ORGANIZATIONS_AT_ONCE = 64

export interface Dispatcher {
  /** Something may be due. */
  wake(): void
  /** Takes nothing more, and resolves when everything under way has ended and is in the log. */
  stop(): Promise<void>
}

interface DispatcherParts {
  readonly db: Database
  readonly sealer: Sealer
  readonly outbound: OutboundClient
  readonly clock: DecisionClock
  readonly now: () => number
  readonly delaysMs: readonly number[]
  readonly log: { error(fields: object, message: string): void }
}

/** How much may be started for an organization in a round. */
interface Share {
  readonly organizationId: string
  readonly room: number
}

/**
 * Delivers events. Several processes may run one each: what is due is locked, leased and logged in one
 * transaction, sent, and ended in another. A process that dies in between leaves the lease to run out,
 * and another takes over.
 */
export function startDispatcher(parts: DispatcherParts): Dispatcher {
  const { db, clock, log } = parts
  const lanes = createLanes()
  const underWay = new Set<Promise<void>>()
  const completion = createCompletion({ store: (ends) => storeEnds(parts, ends), log })
  const rounds = startRounds(runRound, log)
  let lastServed = ''

  async function runRound(): Promise<void> {
    const now = await clock(db)
    const due = inTurn(await listDueOrganizations(db, now), lastServed)
    const shares = takeShares(lanes, due)
    if (shares.length === 0) return
    lastServed = shares.at(-1)?.organizationId ?? ''
    const claimed = await claimShares(parts, lanes, shares, now)
    for (const attempt of claimed.attempts) start(attempt)
    if (claimed.mayBeMore) rounds.wake()
  }

  function start(attempt: Attempt): void {
    const ending = carryOut(attempt)
      .catch((err: unknown) => log.error({ err }, 'A webhook attempt could not be carried out.'))
      .finally(() => underWay.delete(ending))
    underWay.add(ending)
  }

  async function carryOut(attempt: Attempt): Promise<void> {
    const { organizationId } = attempt
    const end = await makeAttempt({ ...parts, random: Math.random }, attempt)
    await completion.add(organizationId, end)
    lanes.ended(organizationId, end.outcome === 'succeeded')
    rounds.wake()
  }

  return {
    wake: rounds.wake,
    async stop() {
      await rounds.stop()
      await Promise.all(underWay)
    },
  }
}

/** Round robin: those behind the last one served come first. */
function inTurn(organizationIds: readonly string[], lastServed: string): string[] {
  const sorted = [...organizationIds].sort()
  const next = sorted.findIndex((id) => id > lastServed)
  const turned = next < 0 ? sorted : [...sorted.slice(next), ...sorted.slice(0, next)]
  return turned.slice(0, ORGANIZATIONS_AT_ONCE)
}

function takeShares(lanes: Lanes, organizationIds: readonly string[]): Share[] {
  return organizationIds.flatMap((organizationId) => {
    const room = lanes.take(organizationId)
    return room > 0 ? [{ organizationId, room }] : []
  })
}

async function claimShares(
  { db, sealer }: DispatcherParts,
  lanes: Lanes,
  shares: readonly Share[],
  now: number,
): Promise<{ readonly attempts: readonly Attempt[]; readonly mayBeMore: boolean }> {
  const claimed = new Map<Share, readonly Attempt[]>()
  try {
    await db.transaction((tx) =>
      Promise.all(
        shares.map(async (share) => {
          const { organizationId, room } = share
          claimed.set(share, await claimDue(tx, sealer, organizationId, now, room))
        }),
      ),
    )
  } catch (error) {
    for (const { organizationId, room } of shares) lanes.giveBack(organizationId, room)
    throw error
  }
  for (const [{ organizationId, room }, attempts] of claimed) {
    lanes.giveBack(organizationId, room - attempts.length)
  }
  const mayBeMore = [...claimed].some(([{ room }, attempts]) => attempts.length === room)
  return { attempts: [...claimed.values()].flat(), mayBeMore }
}

async function storeEnds(
  { db, now }: DispatcherParts,
  ends: ReadonlyMap<string, readonly AttemptEnd[]>,
): Promise<void> {
  await db.transaction(async (tx) => {
    for (const [organizationId, group] of ends) {
      tx.send(endAttempts(organizationId, now(), group))
    }
  })
}
