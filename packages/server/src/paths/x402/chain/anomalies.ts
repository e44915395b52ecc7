import { logEvent } from '../../../base/log/log-event.ts'
import type { Log } from '../../../base/log.ts'
import { toPublicId } from '../../../core/id.ts'
import { type Instant, toIso } from '../../../core/time/instant.ts'
import { X402_LOG_EVENTS } from '../log-events.ts'
import type { Anomaly, X402Payment } from '../payment.ts'

/** Limits the stored anomalies, because the vendor decides how often it misbehaves. */
const ANOMALIES_MAX = 10
const DETAIL_LENGTH_MAX = 400

/**
 * Adds new anomalies; returns the same object if there are none. A vendor may repeat itself on
 * every call, so each anomaly is recorded once.
 */
export function addAnomalies(
  payment: X402Payment,
  found: readonly Omit<Anomaly, 'at'>[],
  now: Instant,
): X402Payment {
  const { anomalies } = payment
  const fresh = found
    .map(({ kind, detail }) => ({ kind, detail: detail.slice(0, DETAIL_LENGTH_MAX) }))
    .filter((one) => !anomalies.some((known) => isSame(known, one)))
    .map((one) => ({ ...one, at: toIso(now) }))
    .slice(0, ANOMALIES_MAX - anomalies.length)
  return fresh.length === 0 ? payment : { ...payment, anomalies: [...anomalies, ...fresh] }
}

function isSame(a: Omit<Anomaly, 'at'>, b: Omit<Anomaly, 'at'>): boolean {
  return a.kind === b.kind && a.detail === b.detail
}

/**
 * Compares the vendor's receipt with the chain. Finds nothing unless the chain has proven the end
 * of the payment.
 */
export function judgeReceipt(payment: X402Payment): readonly Omit<Anomaly, 'at'>[] {
  const { state, proof, receipt, chainTransaction } = payment
  if (receipt === null || proof !== 'chain') return []
  if (state === 'released') {
    const detail = `The vendor's receipt names ${receipt}, but the chain shows that the payment was never made.`
    return [{ kind: 'receipt_invented', detail }]
  }
  if (chainTransaction === null || chainTransaction.toLowerCase() === receipt) return []
  const detail = `The vendor's receipt names ${receipt}, but the money moved in ${chainTransaction}.`
  return [{ kind: 'receipt_differs', detail }]
}

/**
 * Logs the new anomalies. Only the caller that stored them calls this, after its commit, so that
 * each is logged once.
 */
export function tellAnomalies(
  log: Log,
  before: X402Payment | undefined,
  { id, network, url, anomalies }: X402Payment,
): void {
  const transactionId = toPublicId('txn', id)
  for (const { kind, detail } of anomalies.slice(before?.anomalies.length ?? 0)) {
    const vendor = new URL(url).host
    logEvent(log, X402_LOG_EVENTS['x402.vendor_anomaly'], {
      transactionId,
      network,
      vendor,
      kind,
      detail,
    })
  }
}
