import type { FastifyReply, FastifyRequest } from 'fastify'
import { PROBLEMS, type ProblemKind } from '../base/errors.ts'
import type { Part } from '../base/lifecycle.ts'
import type { LogEvent } from '../base/log/define-events.ts'
import { LOG_EVENTS } from '../base/log/events/index.ts'
import type { Log } from '../base/log.ts'
import type { SettingGroup } from '../base/setting.ts'
import type { PathName } from '../core/path.ts'
import type { Instant } from '../core/time/instant.ts'
import type { Gateway } from '../gateway/gateway.ts'
import type { EndByHand } from '../gateway/holds/by-hand.ts'
import type { App } from '../http/app.ts'
import type { Door } from '../http/door.ts'
import type { Write } from '../http/idempotency.ts'
import type { PathFields } from '../http/path-fields.ts'
import type { OutboundClient } from '../outbound/outbound-client.ts'
import type { DatabaseClock } from '../storage/engine/clock.ts'
import type { Database, Refusals } from '../storage/engine/database.ts'
import type { Sealer } from '../storage/secrets/sealed.ts'
import type { SealedValues } from '../storage/secrets/sealed-values.ts'
import type { Remover } from '../upkeep/housekeeping.ts'

/**
 * A way for spends to come in. It translates its request into the common form, passes that to the
 * gateway, and translates the decision back. Its folder holds everything that only it knows, and no
 * other part imports from there.
 */
export interface PaymentPath<Settings = unknown> {
  readonly name: PathName
  /** Absent: the path has nothing that an operator could set. */
  readonly settings?: PathSettings<Settings>
  /** Its part of the catalogue of problems. */
  readonly problems?: Readonly<Record<string, ProblemKind>>
  /** The problems that answer a request which breaks a constraint of the path's tables. */
  readonly refusals?: Refusals
  /** Its part of the catalogue of log events. */
  readonly logEvents?: Readonly<Record<string, LogEvent>>
  /** What it stores sealed. */
  readonly sealed?: readonly SealedValues[]
  open(parts: PathParts, settings: Settings): OpenPath | Promise<OpenPath>
}

export interface PathSettings<Settings> {
  /** Describes every variable that `read` asks for. */
  readonly group: SettingGroup
  /**
   * Adds a sentence for every mistake, which names the variable and what it should hold. All
   * mistakes of all parts are reported together, so it goes on after the first one.
   */
  read(variable: ReadVariable, mistakes: string[]): Settings
}

/** The value of a variable, or of the file it names; undefined when it is not set or empty. */
export type ReadVariable = (name: string) => string | undefined

/** What a payment path gets. */
export interface PathParts {
  readonly gateway: Gateway
  readonly db: Database
  /** For routes behind our key. */
  readonly write: Write
  readonly sealer: Sealer
  readonly outbound: OutboundClient
  /** For what is only shown or named. */
  readonly now: () => Instant
  /** For what changes or judges state. */
  readonly clock: DatabaseClock
  /** Where this gateway is reached from outside; undefined if nobody has said it. */
  readonly publicUrl: () => string | undefined
  /** For a door that asks for our own key: sets `request.principal`, or refuses. Sessions do not count there. */
  readonly authenticate: (request: FastifyRequest, reply: FastifyReply) => Promise<void> | undefined
  /** Whether real money follows from what this installation decides. */
  readonly keyKind: 'live' | 'test'
  readonly log: Log
}

export interface OpenPath {
  /** Endpoints behind our API key, under /api/v1. */
  routes?(api: App): void
  /** What other parties' machines call. */
  readonly doors?: readonly Door[]
  /**
   * What it does without being asked. Workers start before the first request, and stop after the
   * last.
   */
  readonly workers?: readonly (() => Part)[]
  /** What housekeeping removes from its rows. */
  readonly removers?: readonly Remover[]
  /** Ends its holds that wait for proof, where nobody is left who could give it. */
  readonly byHand?: EndByHand
  /** The fields of vendors and of the organization whose contents only this path knows. */
  readonly fields?: PathFields
}

/** A path together with the settings that were read for it. */
export interface ConfiguredPath {
  readonly name: PathName
  readonly settings: unknown
  readonly refusals: Refusals | undefined
  open(parts: PathParts): Promise<OpenPath>
}

export function withSettings<Settings>(
  path: PaymentPath<Settings>,
  settings: Settings,
): ConfiguredPath {
  const { name, refusals } = path
  return { name, settings, refusals, open: async (parts) => path.open(parts, settings) }
}

/**
 * The whole catalogue: first the problems that belong to no single path, then what each path adds.
 */
export function listProblems(paths: readonly PaymentPath[]): ProblemKind[] {
  return [PROBLEMS, ...paths.map(({ problems }) => problems ?? {})].flatMap((part) =>
    Object.values(part),
  )
}

/** The refusals of all paths. The storage answers with them, and knows no path. */
export function listRefusals(paths: readonly Pick<ConfiguredPath, 'refusals'>[]): Refusals {
  return new Map(paths.flatMap(({ refusals = [] }) => [...refusals]))
}

/** The whole catalogue of log events, in the same order. */
export function listLogEvents(paths: readonly PaymentPath[]): LogEvent[] {
  return [LOG_EVENTS, ...paths.map(({ logEvents }) => logEvents ?? {})].flatMap((part) =>
    Object.values<LogEvent>(part),
  )
}
