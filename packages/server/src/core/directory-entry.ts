import type { CardAlias } from './card-alias.ts'
import type { Payee } from './payee.ts'
import type { Instant } from './time/instant.ts'

/** A vendor in the organization's directory. */
export interface DirectoryEntry {
  readonly id: string
  /** The host in normal form, as in a spend. */
  readonly host: string
  readonly name: string | null
  readonly category: string | null
  /** If there are any, only these are paid for this host. */
  readonly payees: readonly Payee[]
  /** The names by which card issuers know it. */
  readonly cardAliases: readonly CardAlias[]
  /** The path `acp` reads and writes the content. Null: agents cannot buy there by ACP. */
  readonly acp: object | null
  readonly createdAt: Instant
  readonly updatedAt: Instant
  /** The text of `actorText`; null if it was not stored. */
  readonly updatedBy: string | null
}
