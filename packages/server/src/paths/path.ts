import type { PathName } from '../core/path.ts'
import type { Instant } from '../core/time/instant.ts'
import { PROBLEMS, type ProblemKind } from '../errors.ts'
import type { Gateway } from '../gateway/gateway.ts'
import type { App } from '../http/app.ts'
import type { Write } from '../http/idempotency.ts'
import type { Log } from '../log.ts'
import type { OutboundClient } from '../outbound/outbound-client.ts'
import type { Database } from '../storage/engine/database.ts'
import type { Sealer } from '../storage/secrets/sealed.ts'
import type { NetworkSetting } from './x402/chain/chains.ts'

/** What a payment path is given. */
export interface PathParts {
  readonly gateway: Gateway
  readonly db: Database
  readonly write: Write
  readonly sealer: Sealer
  readonly outbound: OutboundClient
  /** The chains on which x402 pays. */
  readonly networks: readonly NetworkSetting[]
  readonly now: () => Instant
  readonly log: Log
}

/**
 * A way by which spends come in. It translates its request into the common form, hands that to the
 * gateway, and translates the decision back; what belongs to its protocol stays in its folder.
 */
export interface PaymentPath {
  readonly name: PathName
  /** Its part of the catalogue. */
  readonly problems?: Readonly<Record<string, ProblemKind>>
  open(parts: PathParts): OpenPath
}

export interface OpenPath {
  routes(app: App): void
  /** Begins what the path has to do without being asked. */
  start?(): { stop(): Promise<void> }
}

/** The whole catalogue: what is of no single path, and then what each of these paths adds. */
export function listProblems(paths: readonly PaymentPath[]): ProblemKind[] {
  return [PROBLEMS, ...paths.map(({ problems }) => problems ?? {})].flatMap((part) =>
    Object.values(part),
  )
}
