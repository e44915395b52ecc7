import type { Assurance } from '../../core/spend.ts'
import type { Instant } from '../../core/time/instant.ts'

/**
 * Permits the transfer of a token, exactly as signed (EIP-3009). The token accepts each nonce once.
 */
export interface Authorization {
  readonly from: string
  readonly to: string
  /** The amount in the token's smallest units. */
  readonly value: bigint
  /** Both limits are in seconds, are exclusive, and are compared with the time of the block. */
  readonly validAfter: number
  readonly validBefore: number
  /** 32 bytes in hexadecimal. */
  readonly nonce: string
}

export type PaymentState = 'held' | 'settled' | 'released'

/**
 * The proof of a payment's end.
 * - `chain`: the blocks of the chain show it.
 * - `assumed`: the gateway cannot query the chain, or the chain does not show the transfer, so the
 *   gateway assumes that the money is spent.
 * - `unsigned`: no signature ever left the gateway.
 * - `owner`: the organization states it, because the network has no node any more.
 */
export type PaymentProof = 'chain' | 'assumed' | 'unsigned' | 'owner'

/** The kinds of vendor behaviour that contradict the payment. */
export const ANOMALY_KINDS = [
  'asked_again',
  'price_raised',
  'payee_changed',
  'asset_changed',
  'receipt_invented',
  'receipt_differs',
] as const

/**
 * An observed contradiction between a vendor's behaviour and its payment. It does not affect the
 * money.
 */
export interface Anomaly {
  readonly kind: (typeof ANOMALY_KINDS)[number]
  /** A sentence for people. */
  readonly detail: string
  /** The time by the database's clock. */
  readonly at: string
}

/** An authorization that a decision allowed, and its outcome. */
export interface X402Payment {
  readonly organizationId: string
  /** The id of its transaction. */
  readonly id: string
  readonly walletId: string
  readonly mode: 'sign' | 'fetch'
  readonly version: 1 | 2
  readonly url: string
  /** The CAIP-2 id of the network. */
  readonly network: string
  /** The token's address, in lower case. */
  readonly asset: string
  readonly assurance: Assurance
  readonly authorization: Authorization
  /** The vendor's offer. The gateway sends it back unchanged. */
  readonly offer: Readonly<Record<string, unknown>>
  readonly resource: object | null
  /** The vendor's extensions that the gateway sends back. */
  readonly extensions: object | null
  /** The height of the chain before the signature. Null if the network has no node. */
  readonly fromBlock: bigint | null
  /** The time when a signature first left the gateway, or was about to. */
  readonly handedOutAt: Instant | null
  /** The end of the lease of a call to the vendor. Null while no request calls it. */
  readonly callingUntil: Instant | null
  readonly state: PaymentState
  readonly proof: PaymentProof | null
  readonly chainTransaction: string | null
  /**
   * The transaction hash that the vendor claims. The gateway compares it with the chain, and never
   * trusts it.
   */
  readonly receipt: string | null
  /** Limited in number and length. Most payments have none. */
  readonly anomalies: readonly Anomaly[]
  readonly checks: number
  readonly createdAt: Instant
}

export type PaymentKey = Pick<X402Payment, 'organizationId' | 'id'>

export type WalletKind = 'local' | 'remote'

/** A wallet: an address whose payments the gateway can sign, or have signed. */
export interface Wallet {
  readonly id: string
  readonly name: string
  /** The address of the wallet, in lower case. */
  readonly address: string
  readonly kind: WalletKind
  /** The URL of a remote wallet's signer. */
  readonly signerUrl: string | null
  readonly createdAt: Instant
  /** The actor in the format of `actorText`. Null if it was not stored. */
  readonly createdBy: string | null
}
