/** The party that is paid for a vendor's goods: an address on a chain. */
export interface Payee {
  /** A CAIP-2 id, such as eip155:8453. */
  readonly network: string
  /** The address in lower case. */
  readonly address: string
}
