import { logEvent } from '../base/log/log-event.ts'
import type { Log } from '../base/log.ts'
import { startLoop } from '../base/loop.ts'
import type { OutboundClient } from '../outbound/outbound-client.ts'
import type { DatabaseClock } from '../storage/engine/clock.ts'
import type { Database } from '../storage/engine/database.ts'
import type { Sealer } from '../storage/secrets/sealed.ts'
import { type AttemptEnd, endAttempts } from '../storage/webhooks/attempts.ts'
import { keyOf, type Lane, listDueLanes } from '../storage/webhooks/lanes.ts'
import { type Attempt, makeAttempt, TIMEOUT_MS } from './attempt.ts'
import {
  type Completion,
  createJoinedCompletion,
  createSeparateCompletion,
} from './attempt-ends.ts'
import { claimDue, LEASE_MS, type Share } from './claim.ts'
import { divideShared } from './divide-shared.ts'
import { noteHealth } from './endpoint-health.ts'
import { tellFailure } from './failed-delivery.ts'
import { createSenderShares, type SenderShares } from './sender-shares.ts'
import { createTakeovers } from './takeovers.ts'

/**
 * Work that no `wake` announces, such as a retry or an event of a different process, waits at most
 * this long.
 */
const POLL_MS = 1_000
/** The minimum time between the starts of two rounds: fewer and larger rounds cost less. */
const GAP_MS = 10
/** Bounds the rest after a round that waited long for the database. */
const REST_MAX_MS = 1_000
/** How many lanes one round serves; the next round begins after the last of them. */
const LANES_AT_ONCE = 64
/** The remaining lease still covers the longest attempt and storing its end. */
const SEND_WITHIN_MS = LEASE_MS - TIMEOUT_MS - 3_000

export interface Dispatcher {
  /** Starts a round soon, because something may be due. */
  wake(): void
  /** Runs a round now, and resolves once its attempts have ended and are in the delivery log. */
  round(): Promise<void>
  /**
   * Claims nothing more, and resolves once all running attempts have ended and are in the delivery
   * log.
   */
  stop(): Promise<void>
}

interface DispatcherParts {
  readonly db: Database
  readonly sealer: Sealer
  readonly outbound: OutboundClient
  readonly clock: DatabaseClock
  readonly delaysMs: readonly number[]
  readonly log: Log
  /** Called with each attempt that has ended. Absent unless metrics are on. */
  readonly onAttempt?: OnAttempt | undefined
}

interface ClaimingParts extends DispatcherParts {
  readonly senderShares: SenderShares
  isLost(attemptId: string): boolean
}

export type OnAttempt = (attempt: Attempt, end: AttemptEnd) => void

/**
 * Delivers events. Several processes may each run a dispatcher: one transaction locks, leases and
 * logs due entries, then the dispatcher sends them, and a second transaction stores the ends. If a
 * process dies in between, its lease expires and a different process takes over (ADR 13).
 */
export function startDispatcher(parts: DispatcherParts): Dispatcher {
  const { db, clock, log } = parts
  const senderShares = createSenderShares()
  const underWay = new Map<string, Promise<void>>()
  const { isLost } = createTakeovers((id) => underWay.has(id))
  const claiming = { ...parts, senderShares, isLost }
  const completion = completionOf(parts)
  const rounds = startLoop({
    run: runRound,
    everyMs: POLL_MS,
    catchesUp: true,
    restMs,
    // The next poll retries. Everything that was sent is in the delivery log.
    failed: (err) => logEvent(log, 'webhooks.scan_failed', { err }),
  })
  let lastServed = ''

  async function runRound(): Promise<void> {
    const began = performance.now()
    const now = await clock(db)
    const shares = await findWork(now)
    if (shares.length === 0) return
    const claimed = await claimShares(claiming, shares, now)
    if (performance.now() - began > SEND_WITHIN_MS) {
      // Their lease may expire before they end. So they are left to expire, as if this process had
      // died.
      logEvent(log, 'webhooks.claim_slow', { count: claimed.length })
      for (const attempt of claimed) senderShares.giveBack(laneOf(attempt), 1)
      return
    }
    for (const attempt of claimed) start(attempt)
    if (shares.some((share) => isUsedUp(share, claimed))) rounds.wake()
  }

  async function findWork(now: number): Promise<Share[]> {
    const { lanes, hasMore } = await divideShared(parts, await listDueLanes(db, now), now)
    if (hasMore) rounds.wake()
    const shares = takeShares(senderShares, inTurn(lanes, lastServed))
    const last = shares.at(-1)
    if (last) lastServed = keyOf(last)
    return shares
  }

  function start(attempt: Attempt): void {
    const ending = carryOut(attempt)
      .catch((err: unknown) => {
        logEvent(log, 'webhooks.attempt_failed', { err })
        senderShares.giveBack(laneOf(attempt), 1)
      })
      .finally(() => underWay.delete(attempt.id))
    underWay.set(attempt.id, ending)
  }

  async function carryOut(attempt: Attempt): Promise<void> {
    const { organizationId } = attempt
    const end = await makeAttempt({ ...parts, random: Math.random }, attempt)
    await completion.add(organizationId, end)
    parts.onAttempt?.(attempt, end)
    await noteHealth(parts, attempt, end)
    tellIfFailed(log, attempt, end)
    if (end.outcome === 'interrupted') senderShares.giveBack(laneOf(attempt), 1)
    else senderShares.ended(laneOf(attempt), end.outcome === 'succeeded')
    rounds.wake()
  }

  return {
    wake: rounds.wake,
    async round() {
      await rounds.round()
      await Promise.all(underWay.values())
    },
    async stop() {
      completion.stop()
      await rounds.stop()
      await Promise.all(underWay.values())
    },
  }
}

function tellIfFailed(log: Log, { organizationId, entry }: Attempt, end: AttemptEnd): void {
  if (end.deliveryStatus !== 'failed') return
  const { statusCode, errorClass } = end
  const { deliveryId, failures } = entry
  tellFailure(log, { organizationId, deliveryId, statusCode, errorClass, attempts: failures + 1 })
}

function completionOf(parts: DispatcherParts): Completion {
  const completing = {
    store: (ends: ReadonlyMap<string, readonly AttemptEnd[]>) => storeEnds(parts, ends),
    log: parts.log,
  }
  return isSpread(parts.db)
    ? createSeparateCompletion(completing)
    : createJoinedCompletion(completing)
}

/** Whether organizations are on several nodes (ADR 65). */
function isSpread(db: Database): boolean {
  return db.nodes !== undefined
}

/**
 * Rests as long as the round took. When the process is busy with decisions, rounds take longer and
 * so do the rests: deliveries then yield to decisions.
 */
function restMs(tookMs: number): number {
  return Math.min(REST_MAX_MS, Math.max(tookMs, GAP_MS - tookMs))
}

/** Whether the room was used up, so that more may be due. */
function isUsedUp(share: Share, claimed: readonly Attempt[]): boolean {
  const lane = laneOf(share)
  return claimed.filter((attempt) => laneOf(attempt) === lane).length === share.room
}

/**
 * The name under which attempts to an endpoint share their room: a slow endpoint delays neither other
 * endpoints of its organization nor other organizations.
 */
function laneOf({ organizationId, endpointId }: Lane): string {
  return keyOf({ organizationId, endpointId: endpointId ?? organizationId })
}

/** Round robin: lanes after the last one served come first. */
function inTurn(lanes: readonly Lane[], lastServed: string): Lane[] {
  const sorted = [...lanes].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  const next = sorted.findIndex((lane) => keyOf(lane) > lastServed)
  return next < 0 ? sorted : [...sorted.slice(next), ...sorted.slice(0, next)]
}

/** Skips lanes whose share is used up, so that dead receivers never block the lanes after them. */
function takeShares(senderShares: SenderShares, lanes: readonly Lane[]): Share[] {
  const shares: Share[] = []
  for (const lane of lanes) {
    if (shares.length === LANES_AT_ONCE) break
    const room = senderShares.take(laneOf(lane))
    if (room > 0) shares.push({ ...lane, room })
  }
  return shares
}

/**
 * Claims for all lanes in one transaction. If that fails, each gets its own transaction, so that bad
 * rows of one organization do not block the others. On a distributed store each always does, because
 * lanes of several nodes would share their fate.
 */
async function claimShares(
  parts: ClaimingParts,
  shares: readonly Share[],
  now: number,
): Promise<Attempt[]> {
  const { senderShares } = parts
  try {
    if (!isSpread(parts.db)) return await claimTogether(parts, shares, now)
  } catch (error) {
    if (shares.length === 1) {
      for (const share of shares) senderShares.giveBack(laneOf(share), share.room)
      throw error
    }
  }
  const attempts: Attempt[] = []
  for (const share of shares) {
    try {
      attempts.push(...(await claimTogether(parts, [share], now)))
    } catch (err) {
      const { organizationId } = share
      senderShares.giveBack(laneOf(share), share.room)
      logEvent(parts.log, 'webhooks.claim_failed', { err, organizationId })
    }
  }
  return attempts
}

async function claimTogether(
  { db, sealer, delaysMs, log, senderShares, isLost }: ClaimingParts,
  shares: readonly Share[],
  now: number,
): Promise<Attempt[]> {
  const claiming = { sealer, retries: delaysMs.length, isLost }
  const claims = await db.transaction((tx) =>
    Promise.all(shares.map((share) => claimDue(tx, claiming, share, now))),
  )
  shares.forEach((share, index) => {
    senderShares.giveBack(laneOf(share), share.room - (claims[index]?.attempts.length ?? 0))
  })
  for (const failed of claims.flatMap((claim) => claim.failed)) tellFailure(log, failed)
  return claims.flatMap(({ attempts }) => attempts)
}

async function storeEnds(
  { db }: DispatcherParts,
  ends: ReadonlyMap<string, readonly AttemptEnd[]>,
): Promise<void> {
  await db.transaction(async (tx) => {
    for (const [organizationId, group] of ends) tx.send(endAttempts(organizationId, group))
  })
}
