import type { CardAlias } from './card-alias.ts'
import type { Payee } from './payee.ts'
import type { Instant } from './time/instant.ts'

/** A vendor as the organization's directory knows it. */
export interface DirectoryEntry {
  readonly id: string
  /** In normal form, as a spend names it. */
  readonly host: string
  readonly name: string | null
  readonly category: string | null
  /** If there are any, nobody else is paid for this host. */
  readonly payees: readonly Payee[]
  /** As whom issuers of cards know it. */
  readonly cardAliases: readonly CardAlias[]
  /** The path `acp` reads and writes its contents. Null: agents cannot buy there by ACP. */
  readonly acp: object | null
  readonly createdAt: Instant
  readonly updatedAt: Instant
  /** As `actorText` shows it; null if it was not kept. */
  readonly updatedBy: string | null
}
