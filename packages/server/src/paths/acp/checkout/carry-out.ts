import type { Desk, FlowParts } from '../flow-parts.ts'
import { findCheckout } from '../storage/checkouts.ts'
import { postponeCheckout } from '../storage/due-checkouts.ts'
import type { AcpCheckout, CheckoutState } from './checkout.ts'
import { closeCheckout, retireToken } from './closing.ts'
import { completeSession, lookAgain } from './completing.ts'
import { beginMinting, mint } from './minting.ts'
import type { Running } from './running.ts'
import { hidingDesk } from './secrets.ts'
import { canBeAsked, type Step, type Stepped } from './steps.ts'

/**
 * The next step from each state while a caller waits for the purchase. The other states wait for
 * the payer or the agent, or are ends.
 */
const NEXT: Readonly<Partial<Record<CheckoutState, Step>>> = {
  held: beginMinting,
  minting: mint,
  minted: completeSession,
  completing: lookAgain,
  unknown: lookAgain,
  closing: closeCheckout,
  completed: retireToken,
}

/**
 * A purchase passes only a few states. A merchant or token provider whose answers need more steps
 * leads it in a cycle.
 */
const STEPS_MAX = 20
const DELAY_MIN_MS = 1_000
const DELAY_MAX_MS = 60_000

/** The first checks come soon, because most merchants need seconds. */
export function delayAfter(looks: number): number {
  return Math.min(DELAY_MAX_MS, DELAY_MIN_MS * 2 ** Math.min(looks, 10))
}

/**
 * Returns whether an early check can help. If the gateway cannot query the token provider, only
 * time or a person ends a checkout whose order is made or doubtful, or whose merchant has declined.
 */
function isWorthWaiting(desk: Desk, { state, isDenied, isDoubtful }: AcpCheckout): boolean {
  if (canBeAsked(desk)) return true
  return state !== 'completed' && !isDoubtful && !(state === 'closing' && isDenied)
}

/**
 * Takes a checkout from state to state, until it has ended, waits for the payer, or is left to the
 * reconciler because its time is up (ADR 40). `until` is on the process's monotonic clock.
 */
export async function carryOut(
  parts: FlowParts & { readonly running: Pick<Running, 'pause'> },
  desk: Desk,
  begun: AcpCheckout,
  until: number,
): Promise<void> {
  let checkout = begun
  let looks = 0
  for (let steps = 0; steps < STEPS_MAX; steps += 1) {
    const stepped: Stepped = await NEXT[checkout.state]?.(
      parts,
      hidingDesk(parts, desk, checkout),
      checkout,
    )
    if (stepped === undefined) return
    if (stepped !== 'wait') {
      checkout = stepped
      continue
    }
    const delayMs = delayAfter(looks)
    looks += 1
    const isInTime = performance.now() + delayMs <= until && isWorthWaiting(desk, checkout)
    if (!isInTime || !(await parts.running.pause(delayMs))) {
      const now = await parts.clock(parts.db)
      return postponeCheckout(parts.db, checkout, now + delayMs)
    }
    // If another process has claimed the checkout meanwhile, that process continues alone.
    const found = await findCheckout(parts.db, checkout)
    if (found?.step !== checkout.step) return
  }
}
