import type { Assurance } from '../../core/spend.ts'
import type { Instant } from '../../core/time/instant.ts'

/** A permission to move a token, exactly as it is signed (EIP-3009). The token accepts each nonce once. */
export interface Authorization {
  readonly from: string
  readonly to: string
  /** In the token's own smallest units. */
  readonly value: bigint
  /** Both in seconds, compared with the time of blocks; neither is included. */
  readonly validAfter: number
  readonly validBefore: number
  /** 32 bytes in hexadecimal. */
  readonly nonce: string
}

export type PaymentState = 'held' | 'settled' | 'released'

/**
 * How we know the end of a payment. `chain`: the blocks of the chain say so. `assumed`: no chain
 * can be asked, or the chain does not show the transfer, so the money is assumed to be spent.
 * `unsigned`: no signature ever left the gateway. `owner`: the organization says so,
 * because the network has no node any more.
 */
export type PaymentProof = 'chain' | 'assumed' | 'unsigned' | 'owner'

/** What a vendor can do that does not fit with its payment. */
export const ANOMALY_KINDS = [
  'asked_again',
  'price_raised',
  'payee_changed',
  'asset_changed',
  'receipt_invented',
  'receipt_differs',
] as const

/** What a vendor did, as far as it was seen. It changes nothing about the money. */
export interface Anomaly {
  readonly kind: (typeof ANOMALY_KINDS)[number]
  /** A sentence for people. */
  readonly detail: string
  /** A timestamp of the database's clock. */
  readonly at: string
}

/** An authorization that a decision allowed, and what became of it. */
export interface X402Payment {
  readonly organizationId: string
  /** The id of its transaction. */
  readonly id: string
  readonly walletId: string
  readonly mode: 'sign' | 'fetch'
  readonly version: 1 | 2
  readonly url: string
  /** CAIP-2. */
  readonly network: string
  /** The token's address, in lower case. */
  readonly asset: string
  readonly assurance: Assurance
  readonly authorization: Authorization
  /** As the vendor sent it; it is sent back unchanged. */
  readonly offer: Readonly<Record<string, unknown>>
  readonly resource: object | null
  /** What goes back to the vendor of its extensions. */
  readonly extensions: object | null
  /** Null where no chain can be asked. */
  readonly fromBlock: bigint | null
  /** When a signature first left the gateway, or was about to. */
  readonly handedOutAt: Instant | null
  /** Until when the vendor may be being called with it; null while nobody calls. */
  readonly callingUntil: Instant | null
  readonly state: PaymentState
  readonly proof: PaymentProof | null
  readonly chainTransaction: string | null
  /** The transfer that the vendor says it made: compared with the chain's, and never believed. */
  readonly receipt: string | null
  /** Bounded in number and length; empty for most. */
  readonly anomalies: readonly Anomaly[]
  readonly checks: number
  readonly createdAt: Instant
}

export type PaymentKey = Pick<X402Payment, 'organizationId' | 'id'>

export type WalletKind = 'local' | 'remote'

/** An address whose payments the gateway can get signed. */
export interface Wallet {
  readonly id: string
  readonly name: string
  /** In lower case. */
  readonly address: string
  readonly kind: WalletKind
  /** Where a remote wallet's signatures are made. */
  readonly signerUrl: string | null
  readonly createdAt: Instant
  /** As `actorText` shows it; null if it was not kept. */
  readonly createdBy: string | null
}
