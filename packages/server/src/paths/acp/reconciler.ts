import type { Part } from '../../base/lifecycle.ts'
import { logEvent } from '../../base/log/log-event.ts'
import { startLoop } from '../../base/loop.ts'
import { toPublicId } from '../../core/id.ts'
import type { Instant } from '../../core/time/instant.ts'
import { advance, LEASE_MS } from './checkout/advance.ts'
import { bookPaid, bookUnpaid } from './checkout/booking.ts'
import { delayAfter } from './checkout/carry-out.ts'
import {
  type AcpCheckout,
  type CheckoutKey,
  type CheckoutState,
  type Failure,
  hasLeft,
} from './checkout/checkout.ts'
import {
  awaitPayer,
  closeCheckout,
  followToken,
  REST_UNPROVEN,
  retireToken,
} from './checkout/closing.ts'
import { lookAgain } from './checkout/completing.ts'
import { giveUp } from './checkout/giving-up.ts'
import { hidingDesk } from './checkout/secrets.ts'
import { isPastEnd, type Step, type Stepped } from './checkout/steps.ts'
import { type Desk, type FlowParts, toDesk } from './flow-parts.ts'
import { ACP_LOG_EVENTS } from './log-events.ts'
import { claimCheckouts, listDueCheckouts, postponeCheckout } from './storage/due-checkouts.ts'

const EVERY_MS = 1_000
const AT_ONCE = 48
/** Leaves room for others, however many of one organization wait for merchants that do not answer. */
const AT_ONCE_FOR_ONE = 16
/** A row passes only a few points; more in one turn would be a circle. */
const STEPS_MAX = 10
const CHECKS_PER_REMINDER = 40

const INTERRUPTED: Failure = { code: 'interrupted', retryable: true }

/** A process died between the hold and the completion: nobody waits any more, so nothing is bought. */
const interrupt: Step = (parts, desk, checkout) =>
  advance(parts, checkout, (locked, place) => giveUp(parts, desk, locked, INTERRUPTED, place))

/** How each point is taken to its end when nobody waits for the purchase. Nothing is bought any more. */
const TO_THE_END: Readonly<Partial<Record<CheckoutState, Step>>> = {
  held: interrupt,
  minting: interrupt,
  minted: interrupt,
  completing: lookAgain,
  unknown: (parts, desk, checkout) =>
    (checkout.mode === 'delegated' ? interrupt : lookAgain)(parts, desk, checkout),
  authenticating: awaitPayer,
  handed: followToken,
  closing: closeCheckout,
  completed: retireToken,
}

/**
 * Takes every open checkout to its end: those that a process left when it died, and those of which
 * nothing was known in time. Several processes share the work; only one works on a checkout at a time.
 * Each is worked on by itself, so that a merchant that does not answer holds up only its own.
 */
export function startReconciler(parts: FlowParts): Part {
  const underWay = new Map<Promise<void>, string>()

  /** Those that have as many under way as they may have now. */
  function busy(): string[] {
    const all = [...underWay.values()]
    return [...new Set(all)].filter((organizationId) => roomFor(organizationId, all) === 0)
  }

  function begin(checkout: AcpCheckout): void {
    const work = lookAlone(parts, checkout)
    underWay.set(work, checkout.organizationId)
    void work.finally(() => underWay.delete(work))
  }

  async function run(): Promise<void> {
    const free = AT_ONCE - underWay.size
    if (free <= 0) return
    const now = await parts.clock(parts.db)
    const due = await listDueCheckouts(parts.db, now, Math.min(free, AT_ONCE_FOR_ONE), busy())
    for (const organizationId of new Set(due.map((one) => one.organizationId))) {
      const room = roomFor(organizationId, [...underWay.values()])
      const own = due.filter((one) => one.organizationId === organizationId).slice(0, room)
      for (const checkout of await claim(parts, organizationId, own, now)) begin(checkout)
    }
  }

  const loop = startLoop({
    run,
    everyMs: EVERY_MS,
    // The next round tries again. Until then budgets hold at least what they should.
    failed: (err) => logEvent(parts.log, ACP_LOG_EVENTS['acp.scan_failed'], { err }),
  })
  return {
    async stop() {
      await loop.stop()
      await Promise.allSettled(underWay.keys())
    },
  }
}

/**
 * How many more of an organization may be worked on, beside those that are: half of what it would leave
 * free. So whoever is slow never takes the last places from those who come later.
 */
export function roomFor(organizationId: string, underWay: readonly string[]): number {
  const own = underWay.filter((id) => id === organizationId).length
  const half = Math.ceil((AT_ONCE - underWay.length - own) / 2)
  return Math.max(0, Math.min(half, AT_ONCE_FOR_ONE - own))
}

/** Where those of one organization cannot be claimed, the others go on. */
async function claim(
  { db, log }: FlowParts,
  organizationId: string,
  own: readonly CheckoutKey[],
  now: Instant,
): Promise<readonly AcpCheckout[]> {
  const ids = own.map(({ id }) => id)
  try {
    return await claimCheckouts(db, organizationId, ids, { now, until: now + LEASE_MS })
  } catch (err) {
    logEvent(log, ACP_LOG_EVENTS['acp.claim_failed'], { err, organizationId })
    return []
  }
}

/** One that is broken must not keep the others waiting. Its turn comes again. */
async function lookAlone(parts: FlowParts, checkout: AcpCheckout): Promise<void> {
  try {
    const after = await work(parts, checkout)
    if (!after) return
    const now = await parts.clock(parts.db)
    await postponeCheckout(parts.db, after, now + delayAfter(checkout.checks))
    remind(parts, after, now)
  } catch (err) {
    const transactionId = toPublicId('txn', checkout.id)
    logEvent(parts.log, ACP_LOG_EVENTS['acp.checkout_failed'], { err, transactionId })
  }
}

/** The checkout as it is where it has to wait; undefined where it has ended, or somebody else works on it. */
async function work(parts: FlowParts, claimed: AcpCheckout): Promise<AcpCheckout | undefined> {
  const desk = await openDesk(parts, claimed)
  let checkout = claimed
  for (let steps = 0; steps < STEPS_MAX; steps += 1) {
    const stepped: Stepped = desk
      ? await TO_THE_END[checkout.state]?.(parts, hidingDesk(parts, desk, checkout), checkout)
      : await endWithoutDesk(parts, checkout)
    if (stepped === 'wait') return checkout
    if (stepped === undefined) return undefined
    checkout = stepped
  }
  return checkout
}

async function openDesk(
  parts: FlowParts,
  { organizationId, vendorId, instrumentId }: AcpCheckout,
): Promise<Desk | undefined> {
  const [merchant, instrument] = await Promise.all([
    parts.registry.merchantById(organizationId, vendorId),
    parts.registry.instrumentUsed(organizationId, instrumentId),
  ])
  return merchant && instrument && toDesk(parts, merchant, instrument)
}

/**
 * The organization has removed the merchant or the instrument, so that nobody can be asked. What nobody
 * outside has a token for is given back; the rest waits until it is ended by hand.
 */
async function endWithoutDesk(parts: FlowParts, checkout: AcpCheckout): Promise<Stepped> {
  const isOver = isPastEnd(checkout, await parts.clock(parts.db))
  if (checkout.state === 'completed') {
    // Until then the rest of its token can be charged.
    if (!isOver) return 'wait'
    return advance(parts, checkout, async (locked, place) => ({
      ...(await bookPaid(parts, locked, place, { paid: 0n, flags: REST_UNPROVEN })),
      state: 'settled',
    }))
  }
  if (hasLeft(checkout)) return 'wait'
  const failure = checkout.failure ?? INTERRUPTED
  return advance(parts, checkout, (locked, place) =>
    bookUnpaid(parts, { ...locked, failure }, place),
  )
}

/** Without this warning, a merchant that never answers would hold budgets silently. */
function remind({ log }: FlowParts, checkout: AcpCheckout, now: Instant): void {
  if (!isPastEnd(checkout, now) || checkout.checks % CHECKS_PER_REMINDER !== 0) return
  const { id, state, vendor } = checkout
  const transactionId = toPublicId('txn', id)
  logEvent(log, ACP_LOG_EVENTS['acp.hold_overdue'], { transactionId, state, vendor })
}
