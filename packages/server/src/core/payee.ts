/** The party that is paid for what a vendor sells: an address on a chain. */
export interface Payee {
  /** CAIP-2, such as eip155:8453. */
  readonly network: string
  /** In lower case. */
  readonly address: string
}
