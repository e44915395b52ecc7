import type { Micros } from '../money.ts'
import type { Instant } from '../time/instant.ts'
import type { Counter } from './counter.ts'

/** What is known about earlier approved spends. The caller has loaded what `countersOf` names. */
export interface Usage {
  /** Undefined: nothing was counted under this key, or it no longer matters. */
  counter(key: string): Counter | undefined
  /** Whether the counter was looked for. What `countersOf` names was; others may not have been. */
  isRead(key: string): boolean
  /** Undefined: the agent has never spent with this vendor. */
  readonly vendor: VendorHistory | undefined
  /** Whether that may also mean that what the agent paid long ago is not known yet. */
  readonly vendorsIncomplete?: boolean
}

/** What is remembered about the approved spends of one agent with one vendor. */
export interface VendorHistory {
  readonly firstAt: Instant
  /** Null: a person has made the vendor known, and nothing was paid there yet. */
  readonly lastAmount: Micros | null
  /** Up to which amount they have; it counts until something is paid. Null where that was not kept. */
  readonly approvedAmount?: Micros | null
}

/** What a person has approved at a vendor where nothing was paid yet. Null: there is no such amount. */
export function approvedAt(vendor: VendorHistory | undefined): Micros | null {
  return vendor?.lastAmount === null ? (vendor.approvedAmount ?? null) : null
}
