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
/**
 * Leaves room for other organizations if many checkouts of one wait for merchants that do not
 * answer.
 */
const AT_ONCE_FOR_ONE = 16
/** A checkout passes only a few states; more in one round would be a cycle. */
const STEPS_MAX = 10
const CHECKS_PER_REMINDER = 40

const INTERRUPTED: Failure = { code: 'interrupted', retryable: true }

/** A process died between the hold and the completion. The caller is gone, so nothing is bought. */
const interrupt: Step = (parts, desk, checkout) =>
  advance(parts, checkout, (locked, place) => giveUp(parts, desk, locked, INTERRUPTED, place))

/**
 * The step that leads from each state to the end when no caller waits. None of them buys anything.
 */
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
 * Starts the reconciler, which takes every open checkout to its end (ADR 40): those of a process
 * that died, and those without a known outcome in time. Several processes share the work, and a
 * lease gives each checkout to one of them at a time. Each checkout runs separately, so that a
 * merchant that does not answer delays only its own.
 */
export function startReconciler(parts: FlowParts): Part {
  const underWay = new Map<Promise<void>, string>()

  /** Lists the organizations that have reached their share. */
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
    // The next round retries. Until then budgets hold at least the right amount.
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
 * Returns how many more checkouts of an organization may run. Its total never exceeds the slots
 * that stay free, so an organization with slow merchants cannot take the last slots from the
 * others.
 */
export function roomFor(organizationId: string, underWay: readonly string[]): number {
  const own = underWay.filter((id) => id === organizationId).length
  const half = Math.ceil((AT_ONCE - underWay.length - own) / 2)
  return Math.max(0, Math.min(half, AT_ONCE_FOR_ONE - own))
}

/** If the lease fails for one organization, the others continue. */
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

/** A broken checkout must not delay the others. It is retried when its lease ends. */
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

/**
 * Returns the checkout if it has to wait, or undefined if it has ended or another process works on
 * it.
 */
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
 * Handles a checkout whose merchant or instrument the organization has removed, so that the gateway
 * can query neither. Releases the hold if the token never left the gateway. Otherwise the checkout
 * waits until an operator ends it by hand.
 */
async function endWithoutDesk(parts: FlowParts, checkout: AcpCheckout): Promise<Stepped> {
  const isOver = isPastEnd(checkout, await parts.clock(parts.db))
  if (checkout.state === 'completed') {
    // Until the token ends, the rest of it can be charged.
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

/**
 * Warns about an overdue hold. Otherwise a merchant that never answers would hold budgets silently.
 */
function remind({ log }: FlowParts, checkout: AcpCheckout, now: Instant): void {
  if (!isPastEnd(checkout, now) || checkout.checks % CHECKS_PER_REMINDER !== 0) return
  const { id, state, vendor } = checkout
  const transactionId = toPublicId('txn', id)
  logEvent(log, ACP_LOG_EVENTS['acp.hold_overdue'], { transactionId, state, vendor })
}
