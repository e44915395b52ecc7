import type { Micros } from '../money.ts'
import type { Instant } from '../time/instant.ts'
import type { Counter } from './counter.ts'

/**
 * The counters and the vendor history of earlier approved spends. The caller has loaded the counters
 * that `countersOf` names.
 */
export interface Usage {
  /** Undefined if nothing was counted under this key, or if it no longer matters. */
  counter(key: string): Counter | undefined
  /**
   * Whether the counter was read. The counters that `countersOf` names were; others may not have
   * been.
   */
  isRead(key: string): boolean
  /** Undefined if the agent has never spent at this vendor. */
  readonly vendor: VendorHistory | undefined
  /**
   * Whether `vendor` can also be undefined because older payments of the agent are not read yet.
   */
  readonly vendorsIncomplete?: boolean
}

/** The history of the approved spends of one agent at one vendor. */
export interface VendorHistory {
  readonly firstAt: Instant
  /** Null if a person approved the vendor and no spend has been settled there yet. */
  readonly lastAmount: Micros | null
  /**
   * The amount that the person approved. It counts until a spend is settled. Null if it was not
   * stored.
   */
  readonly approvedAmount?: Micros | null
}

/** The amount that a person approved at a vendor without a settled spend; null if there is none. */
export function approvedAt(vendor: VendorHistory | undefined): Micros | null {
  return vendor?.lastAmount === null ? (vendor.approvedAmount ?? null) : null
}
