import { logEvent } from '../base/log/log-event.ts'
import type { Log } from '../base/log.ts'
import { startLoop } from '../base/loop.ts'
import type { OutboundClient } from '../outbound/outbound-client.ts'
import type { DatabaseClock } from '../storage/engine/clock.ts'
import type { Database } from '../storage/engine/database.ts'
import { isRolledBack } from '../storage/engine/storage-error.ts'
import type { Sealer } from '../storage/secrets/sealed.ts'
import { type AttemptEnd, endAttempts } from '../storage/webhooks/attempts.ts'
import { listDueOrganizations } from '../storage/webhooks/queue.ts'
import { type Attempt, makeAttempt, TIMEOUT_MS } from './attempt.ts'
import { createCompletion } from './attempt-ends.ts'
import { claimDue, LEASE_MS, type Share } from './claim.ts'
import { tellFailure } from './failed-delivery.ts'
import { createSenderShares, type SenderShares } from './sender-shares.ts'

/**
 * Work that no `wake` announces, such as a retry or an event of a different process, waits at most
 * this long.
 */
const POLL_MS = 1_000
/** The minimum time between the starts of two rounds: fewer and larger rounds cost less. */
const GAP_MS = 10
/** Bounds the rest after a round that waited long for the database. */
const REST_MAX_MS = 1_000
/** How many organizations one round serves; the next round begins after the last of them. */
const ORGANIZATIONS_AT_ONCE = 64
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

export type OnAttempt = (attempt: Attempt, end: AttemptEnd) => void

/**
 * Delivers events. Several processes may each run a dispatcher: one transaction locks, leases and
 * logs due entries, then the dispatcher sends them, and a second transaction stores the ends. If a
 * process dies in between, its lease expires and a different process takes over (ADR 13).
 */
export function startDispatcher(parts: DispatcherParts): Dispatcher {
  const { db, clock, log } = parts
  const senderShares = createSenderShares()
  const underWay = new Set<Promise<void>>()
  const completion = createCompletion({
    store: (ends) => storeEnds(parts, ends),
    isRefused: isRolledBack,
    log,
  })
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
    // An end that is not stored yet must not look like a lost attempt.
    await completion.recovered()
    const began = performance.now()
    const now = await clock(db)
    const shares = takeShares(senderShares, inTurn(await listDueOrganizations(db, now), lastServed))
    if (shares.length === 0) return
    lastServed = shares.at(-1)?.organizationId ?? ''
    const claimed = await claimShares(parts, senderShares, shares, now)
    if (performance.now() - began > SEND_WITHIN_MS) {
      // Their lease may expire before they end. So they are left to expire, as if this process had
      // died.
      logEvent(log, 'webhooks.claim_slow', { count: claimed.length })
      for (const { organizationId } of claimed) senderShares.giveBack(organizationId, 1)
      return
    }
    for (const attempt of claimed) start(attempt)
    if (shares.some((share) => isUsedUp(share, claimed))) rounds.wake()
  }

  function start(attempt: Attempt): void {
    const ending = carryOut(attempt)
      .catch((err: unknown) => {
        logEvent(log, 'webhooks.attempt_failed', { err })
        senderShares.giveBack(attempt.organizationId, 1)
      })
      .finally(() => underWay.delete(ending))
    underWay.add(ending)
  }

  async function carryOut(attempt: Attempt): Promise<void> {
    const { organizationId } = attempt
    const end = await makeAttempt({ ...parts, random: Math.random }, attempt)
    await completion.add(organizationId, end)
    parts.onAttempt?.(attempt, end)
    if (end.deliveryStatus === 'failed') {
      const { eventId, failures } = attempt.entry
      const { statusCode, errorClass } = end
      const attempts = failures + 1
      tellFailure(log, { organizationId, eventId, statusCode, errorClass, attempts })
    }
    if (end.outcome === 'interrupted') senderShares.giveBack(organizationId, 1)
    else senderShares.ended(organizationId, end.outcome === 'succeeded')
    rounds.wake()
  }

  return {
    wake: rounds.wake,
    async round() {
      await rounds.round()
      await Promise.all(underWay)
    },
    async stop() {
      completion.stop()
      await rounds.stop()
      await Promise.all(underWay)
    },
  }
}

/**
 * Rests as long as the round took. When the process is busy with decisions, rounds take longer and
 * so do the rests: deliveries then yield to decisions.
 */
function restMs(tookMs: number): number {
  return Math.min(REST_MAX_MS, Math.max(tookMs, GAP_MS - tookMs))
}

/** Whether the room was used up, so that more may be due. */
function isUsedUp({ organizationId, room }: Share, claimed: readonly Attempt[]): boolean {
  return claimed.filter((attempt) => attempt.organizationId === organizationId).length === room
}

/** Round robin: organizations after the last one served come first. */
function inTurn(organizationIds: readonly string[], lastServed: string): string[] {
  const sorted = [...organizationIds].sort()
  const next = sorted.findIndex((id) => id > lastServed)
  return next < 0 ? sorted : [...sorted.slice(next), ...sorted.slice(0, next)]
}

/**
 * Skips organizations whose share is used up, so that dead receivers never block the organizations
 * after them.
 */
function takeShares(senderShares: SenderShares, organizationIds: readonly string[]): Share[] {
  const shares: Share[] = []
  for (const organizationId of organizationIds) {
    if (shares.length === ORGANIZATIONS_AT_ONCE) break
    const room = senderShares.take(organizationId)
    if (room > 0) shares.push({ organizationId, room })
  }
  return shares
}

/**
 * Claims for all organizations in one transaction. If that fails, each gets its own transaction, so
 * that bad rows of one organization do not block the others.
 */
async function claimShares(
  parts: DispatcherParts,
  senderShares: SenderShares,
  shares: readonly Share[],
  now: number,
): Promise<Attempt[]> {
  try {
    return await claimTogether(parts, senderShares, shares, now)
  } catch (error) {
    if (shares.length === 1) {
      for (const { organizationId, room } of shares) senderShares.giveBack(organizationId, room)
      throw error
    }
  }
  const attempts: Attempt[] = []
  for (const share of shares) {
    try {
      attempts.push(...(await claimTogether(parts, senderShares, [share], now)))
    } catch (err) {
      const { organizationId, room } = share
      senderShares.giveBack(organizationId, room)
      logEvent(parts.log, 'webhooks.claim_failed', { err, organizationId })
    }
  }
  return attempts
}

async function claimTogether(
  { db, sealer, delaysMs, log }: DispatcherParts,
  senderShares: SenderShares,
  shares: readonly Share[],
  now: number,
): Promise<Attempt[]> {
  const claiming = { sealer, retries: delaysMs.length }
  const claims = await db.transaction((tx) =>
    Promise.all(shares.map((share) => claimDue(tx, claiming, share, now))),
  )
  shares.forEach(({ organizationId, room }, index) => {
    senderShares.giveBack(organizationId, room - (claims[index]?.attempts.length ?? 0))
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
