import type { Purser } from '@purser/sdk'
import type { KeyAccess } from './access.ts'

/** The caller of an MCP server: a client with its key, and the rights of that key. */
export interface Session {
  readonly purser: Purser
  readonly access: KeyAccess
  /** The version of Purser, which the server names. */
  readonly version: string
  /** The time between two progress notifications. Default: 5,000. */
  readonly progressMs?: number | undefined
}
