import type { Instant } from './time/instant.ts'

/** An address on a chain that a vendor is paid at. */
export interface Payee {
  /** CAIP-2, such as eip155:8453. */
  readonly network: string
  /** In lower case. */
  readonly address: string
}

/** A vendor as the organization's directory knows it. */
export interface DirectoryEntry {
  readonly id: string
  /** In normal form, as a spend names it. */
  readonly host: string
  readonly name: string | null
  readonly category: string | null
  /** Where there are any, nobody else is paid for this host. */
  readonly x402Payees: readonly Payee[]
  readonly createdAt: Instant
  readonly updatedAt: Instant
}
