// Written by `npm run generate` from openapi.json. Do not change it by hand.

export interface VendorX402Payee {
  /** The chain, as a CAIP-2 id. */
  readonly network: string
  /** The address on that chain. */
  readonly address: string
}

export type CardAlias = {
  /** The merchant's id in the card network. */
  readonly merchantId: string
  /**
   * The card network of this id, as the issuer names it. If omitted, the id matches in any network.
   */
  readonly network?: string | undefined
} | {
  /**
   * The merchant's name on card statements. The comparison ignores shop numbers, order numbers and
   * the name of a payment service that collects for the merchant.
   */
  readonly name: string
}

/** The ACP version that the merchant supports. */
export type AcpVersion =
  | '2026-04-17'
  | '2026-01-30'
  | '2026-01-16'
  | '2025-12-12'
  | '2025-09-29'

export interface AcpHandler {
  /** The id of the handler. */
  readonly id: string
  /** The payment provider. */
  readonly psp: string
}

/** The ACP settings of a vendor. Null: the vendor has none. */
export interface VendorAcpInput {
  /**
   * The base URL of the merchant's ACP API; the gateway appends `/checkout_sessions/…`. Its host
   * must be the vendor's host or a subdomain of it.
   */
  readonly apiBaseUrl: string
  readonly version: AcpVersion
  /**
   * The merchant's ids at its payment provider. A checkout that would pay any other id is refused.
   */
  readonly merchantIds: readonly string[]
  /**
   * The bearer token that you received from the merchant. Stored encrypted and never shown again.
   */
  readonly credential: string
  /**
   * The secret with which the merchant signs its order events. Stored encrypted and never shown
   * again.
   */
  readonly webhookSecret?: string | null | undefined
  /** The id of the merchant's Stripe business profile. This is not its merchant id. */
  readonly profileId?: string | null | undefined
  /**
   * The payment handler for sessions that name none: the handler's id and its payment provider, as
   * documented by the merchant. Sessions that name handlers use their own.
   */
  readonly handler?: AcpHandler | null | undefined
}

export interface VendorInput {
  /**
   * Host name of the vendor, such as `api.example.com`. From a URL, the gateway takes the host. A
   * host can have only one entry.
   */
  readonly host: string
  /**
   * A name for people to read, 1 to 120 characters. Control characters, invisible characters (such
   * as U+200B or U+3164) and text-direction marks are not allowed. U+200C and U+200D are allowed
   * where a script needs them (between letters, U+200D after a virama, U+200C between Arabic
   * letters and digits), and U+200D also in emoji.
   */
  readonly name?: string | null | undefined
  /**
   * The category of the vendor's products. For x402 payments and ACP checkouts, it is used instead
   * of the category that the agent names.
   */
  readonly category?: string | null | undefined
  /**
   * The addresses that x402 payments to this host may go to, at most 20. An empty list allows any
   * address.
   */
  readonly x402Payees?: readonly VendorX402Payee[] | undefined
  /**
   * The ids and names under which card issuers know the vendor. An alias belongs to only one vendor
   * of the organization. An id takes precedence over a name.
   */
  readonly cardAliases?: readonly CardAlias[] | undefined
  /** The ACP settings of a vendor. Null: the vendor has none. */
  readonly acp?: VendorAcpInput | null | undefined
}

/** Checkouts at this merchant whose outcome is overdue. Only present in the list of vendors. */
export interface VendorAcpHealth {
  /**
   * How many checkouts still hold budget more than ten minutes after their payment token expired,
   * because neither the merchant nor the token provider reports the outcome. The gateway keeps
   * asking. You can close them with POST /transactions/:id/settle or void.
   */
  readonly heldPastEnd: number
  /** When the payment token of the oldest of these checkouts expired (ISO 8601, UTC). */
  readonly oldestTokenEnd: string | null
}

/** The ACP settings of a vendor: how the gateway calls the merchant and whom it may pay there. */
export interface VendorAcp {
  /**
   * The base URL of the merchant's ACP API; the gateway appends `/checkout_sessions/…`. Its host
   * must be the vendor's host or a subdomain of it.
   */
  readonly apiBaseUrl: string
  readonly version: AcpVersion
  /**
   * The merchant's ids at its payment provider. A checkout that would pay any other id is refused.
   */
  readonly merchantIds: readonly string[]
  /** The id of the merchant's Stripe business profile. This is not its merchant id. */
  readonly profileId: string | null
  /**
   * The payment handler for sessions that name none: the handler's id and its payment provider, as
   * documented by the merchant. Sessions that name handlers use their own.
   */
  readonly handler: AcpHandler | null
  /** The last characters of the credential. */
  readonly credentialHint: string
  /** The last characters of the webhook secret. */
  readonly webhookSecretHint: string | null
  /**
   * The URL to which the merchant posts order events. The token in it is shown only when `acp` is
   * first set and after `rotateOrderToken`; otherwise it is replaced by `…`.
   */
  readonly orderUrl: string
  /** Checkouts at this merchant whose outcome is overdue. Only present in the list of vendors. */
  readonly health?: VendorAcpHealth | undefined
}

export interface Vendor {
  /** The id of the vendor. */
  readonly id: string
  /** The host name of the vendor. */
  readonly host: string
  /**
   * A name for people to read, 1 to 120 characters. Control characters, invisible characters (such
   * as U+200B or U+3164) and text-direction marks are not allowed. U+200C and U+200D are allowed
   * where a script needs them (between letters, U+200D after a virama, U+200C between Arabic
   * letters and digits), and U+200D also in emoji.
   */
  readonly name: string | null
  /**
   * The category of the vendor's products. For x402 payments and ACP checkouts, it is used instead
   * of the category that the agent names.
   */
  readonly category: string | null
  /**
   * The addresses that x402 payments to this host may go to, at most 20. An empty list allows any
   * address.
   */
  readonly x402Payees: readonly VendorX402Payee[]
  /**
   * The ids and names under which card issuers know the vendor. An alias belongs to only one vendor
   * of the organization. An id takes precedence over a name.
   */
  readonly cardAliases: readonly CardAlias[]
  /** The ACP settings of a vendor: how the gateway calls the merchant and whom it may pay there. */
  readonly acp: VendorAcp | null
  /** ISO 8601 timestamp in UTC. */
  readonly createdAt: string
  /** ISO 8601 timestamp in UTC. */
  readonly updatedAt: string
  /**
   * Who made the change: an API key (`key_…`), a member (`mem_…`), `cli` for an operator command,
   * or `system` for the gateway itself. Null if it was not recorded.
   */
  readonly updatedBy: string | null
  /**
   * The current or last name of that key or member. Null for `cli` and `system`, and for
   * agent-bound keys. Only in responses to GET.
   */
  readonly updatedByName?: string | null | undefined
}

export interface VendorList {
  /** The entries of this page, newest first. */
  readonly data: readonly Vendor[]
  /** How many entries match in total. Counting stops at 10,000. */
  readonly total: number
  /** False if there are, or may be, more entries than `total`. */
  readonly totalIsExact: boolean
  /** The `limit` of the request. */
  readonly limit: number
  /** The `offset` of the request. */
  readonly offset: number
  /** Whether there is a next page. */
  readonly hasMore: boolean
  /** Pass this value as `cursor` to get the next page. Null on the last page. */
  readonly nextCursor: string | null
}

/** Changes to the ACP settings. Omitted fields keep their values. Null removes the ACP settings. */
export interface VendorAcpChange {
  /**
   * The base URL of the merchant's ACP API; the gateway appends `/checkout_sessions/…`. Its host
   * must be the vendor's host or a subdomain of it.
   */
  readonly apiBaseUrl?: string | undefined
  readonly version?: AcpVersion | undefined
  /**
   * The merchant's ids at its payment provider. A checkout that would pay any other id is refused.
   */
  readonly merchantIds?: readonly string[] | undefined
  /**
   * The bearer token that you received from the merchant. Stored encrypted and never shown again.
   */
  readonly credential?: string | undefined
  /**
   * The secret with which the merchant signs its order events. Stored encrypted and never shown
   * again.
   */
  readonly webhookSecret?: string | null | undefined
  /** The id of the merchant's Stripe business profile. This is not its merchant id. */
  readonly profileId?: string | null | undefined
  /**
   * The payment handler for sessions that name none: the handler's id and its payment provider, as
   * documented by the merchant. Sessions that name handlers use their own.
   */
  readonly handler?: AcpHandler | null | undefined
  /** Creates a new order URL. The previous one stays valid for 24 hours. */
  readonly rotateOrderToken?: true | undefined
}

export interface VendorChange {
  /**
   * A name for people to read, 1 to 120 characters. Control characters, invisible characters (such
   * as U+200B or U+3164) and text-direction marks are not allowed. U+200C and U+200D are allowed
   * where a script needs them (between letters, U+200D after a virama, U+200C between Arabic
   * letters and digits), and U+200D also in emoji.
   */
  readonly name?: string | null | undefined
  /**
   * The category of the vendor's products. For x402 payments and ACP checkouts, it is used instead
   * of the category that the agent names.
   */
  readonly category?: string | null | undefined
  /**
   * The addresses that x402 payments to this host may go to, at most 20. An empty list allows any
   * address.
   */
  readonly x402Payees?: readonly VendorX402Payee[] | undefined
  /**
   * The ids and names under which card issuers know the vendor. An alias belongs to only one vendor
   * of the organization. An id takes precedence over a name.
   */
  readonly cardAliases?: readonly CardAlias[] | undefined
  /**
   * Changes to the ACP settings. Omitted fields keep their values. Null removes the ACP settings.
   */
  readonly acp?: VendorAcpChange | null | undefined
}

/** The query of “List the vendor directory, newest first”. */
export interface ListVendorsQuery {
  /** How many entries a page has. */
  readonly limit?: number | undefined
  /** How many entries to skip. */
  readonly offset?: number | undefined
  /** The `nextCursor` of the previous page. Use it instead of `offset`. */
  readonly cursor?: string | undefined
  /** Only the vendor with this host. */
  readonly host?: string | undefined
  /** Only vendors of this category. */
  readonly category?: string | undefined
}
