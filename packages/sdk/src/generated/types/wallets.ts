// Written by `npm run generate` from openapi.json. Do not change it by hand.

export interface WalletInput {
  /**
   * A name for people to read, 1 to 120 characters. Control characters, invisible characters (such
   * as U+200B or U+3164) and text-direction marks are not allowed. U+200C and U+200D are allowed
   * where a script needs them (between letters, U+200D after a virama, U+200C between Arabic
   * letters and digits), and U+200D also in emoji.
   */
  readonly name: string
  /** The address of a key that your own signer holds. Omit it to let the gateway create a key. */
  readonly address?: string | undefined
  /** The URL of the signer for that key. Required with `address`. */
  readonly signerUrl?: string | undefined
}

/**
 * `local`: the gateway stores the private key encrypted and never reveals it. `remote`: your own
 * signing service holds the private key, and the gateway calls it for each signature.
 */
export type WalletType = 'local' | 'remote'

export interface NewWallet {
  /** The id of the wallet. */
  readonly id: string
  /**
   * A name for people to read, 1 to 120 characters. Control characters, invisible characters (such
   * as U+200B or U+3164) and text-direction marks are not allowed. U+200C and U+200D are allowed
   * where a script needs them (between letters, U+200D after a virama, U+200C between Arabic
   * letters and digits), and U+200D also in emoji.
   */
  readonly name: string
  readonly type: WalletType
  /** The wallet's address. Fund the wallet by sending tokens here; it needs no gas. */
  readonly address: string
  /** The URL of the signer. Null for a local wallet. */
  readonly signerUrl: string | null
  /** The chains on which this wallet can pay, as CAIP-2 ids. */
  readonly networks: readonly string[]
  /** ISO 8601 timestamp in UTC. */
  readonly createdAt: string
  /**
   * Who made the change: an API key (`key_…`), a member (`mem_…`), `cli` for an operator command,
   * or `system` for the gateway itself. Null if it was not recorded.
   */
  readonly createdBy: string | null
  /**
   * The current or last name of that key or member. Null for `cli` and `system`, and for
   * agent-bound keys. Only in responses to GET.
   */
  readonly createdByName?: string | null | undefined
  /**
   * The secret of a remote wallet, shown only in this response. The gateway signs each request to
   * the signer with it: the header X-Service-Signature has the HMAC-SHA256 of the body. Null for a
   * local wallet.
   */
  readonly signerSecret: string | null
}

export interface WalletBalance {
  /** The chain, as a CAIP-2 id. */
  readonly network: string
  /** The address of the token's contract. */
  readonly asset: string
  /** The symbol of the token. */
  readonly symbol: string
  /**
   * The wallet's balance in units of the token. Null if the chain's node does not answer, or no
   * node is configured for the chain.
   */
  readonly balance: number | null
}

export interface WalletWithBalances {
  /** The id of the wallet. */
  readonly id: string
  /**
   * A name for people to read, 1 to 120 characters. Control characters, invisible characters (such
   * as U+200B or U+3164) and text-direction marks are not allowed. U+200C and U+200D are allowed
   * where a script needs them (between letters, U+200D after a virama, U+200C between Arabic
   * letters and digits), and U+200D also in emoji.
   */
  readonly name: string
  readonly type: WalletType
  /** The wallet's address. Fund the wallet by sending tokens here; it needs no gas. */
  readonly address: string
  /** The URL of the signer. Null for a local wallet. */
  readonly signerUrl: string | null
  /** The chains on which this wallet can pay, as CAIP-2 ids. */
  readonly networks: readonly string[]
  /** ISO 8601 timestamp in UTC. */
  readonly createdAt: string
  /**
   * Who made the change: an API key (`key_…`), a member (`mem_…`), `cli` for an operator command,
   * or `system` for the gateway itself. Null if it was not recorded.
   */
  readonly createdBy: string | null
  /**
   * The current or last name of that key or member. Null for `cli` and `system`, and for
   * agent-bound keys. Only in responses to GET.
   */
  readonly createdByName?: string | null | undefined
  /** The balance of each token. */
  readonly balances: readonly WalletBalance[]
}

export interface WalletList {
  /** The entries of this page, newest first. */
  readonly data: readonly WalletWithBalances[]
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

/** The query of “List wallets with addresses, networks and balances, newest first”. */
export interface ListWalletsQuery {
  /** How many entries a page has. */
  readonly limit?: number | undefined
  /** How many entries to skip. */
  readonly offset?: number | undefined
  /** The `nextCursor` of the previous page. Use it instead of `offset`. */
  readonly cursor?: string | undefined
}
