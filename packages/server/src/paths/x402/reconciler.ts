import type { X402Payment } from '../../core/x402-payment.ts'
import { claimOpenPayments, scheduleCheck } from '../../storage/x402-payments.ts'
import { reconcile, type SettlementParts } from './settlement.ts'

const EVERY_MS = 1_000
const AT_ONCE = 50
/** A process that dies with payments in its hands delays them by this. */
const CLAIMED_FOR_MS = 30_000
const DELAY_MIN_MS = 1_000
const DELAY_MAX_MS = 15_000

interface ReconcilerParts extends SettlementParts {
  readonly log: { warn(fields: object, message: string): void }
}

/**
 * Makes holds true: asks the chain about every open payment, again and again, until it is known what
 * became of the money. Several processes share the work; each payment is in one's hands at a time.
 */
export function startReconciler(parts: ReconcilerParts): { stop(): Promise<void> } {
  let round: Promise<void> | undefined
  const timer = setInterval(() => {
    round ??= runRound(parts)
      // The next round tries again; until then the budget stays held, which errs on the safe side.
      .catch((err: unknown) => parts.log.warn({ err }, 'Open x402 payments could not be read.'))
      .finally(() => {
        round = undefined
      })
  }, EVERY_MS)
  timer.unref()
  return {
    async stop() {
      clearInterval(timer)
      await round
    },
  }
}

async function runRound(parts: ReconcilerParts): Promise<void> {
  const now = parts.now()
  const claim = { now, until: now + CLAIMED_FOR_MS, limit: AT_ONCE }
  const payments = await claimOpenPayments(parts.db, claim)
  await Promise.all(payments.map((payment) => look(parts, payment)))
}

async function look(parts: ReconcilerParts, payment: X402Payment): Promise<void> {
  const { organizationId, id, network } = payment
  try {
    const after = await reconcile(parts, payment)
    if (after.proof === 'assumed') {
      parts.log.warn(
        { organizationId, id, network },
        'An x402 payment is taken for spent unproven.',
      )
    }
    if (after.state !== 'held') return
  } catch (err) {
    parts.log.warn({ err, organizationId, id, network }, 'An x402 payment could not be looked up.')
  }
  await scheduleCheck(parts.db, payment, parts.now() + delayAfter(payment.checks))
}

/** Soon at first, because most are settled within seconds. */
function delayAfter(checks: number): number {
  return Math.min(DELAY_MAX_MS, DELAY_MIN_MS * 2 ** Math.min(checks, 10))
}
