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
import type { Backlog } from '../storage/backlogs.ts'
import type { DatabaseClock } from '../storage/engine/clock.ts'
import type { Database, Queryable, Refusals, Remover } from '../storage/engine/database.ts'
import type { Sealer } from '../storage/secrets/sealed.ts'
import type { SealedValues } from '../storage/secrets/sealed-values.ts'

/**
 * A payment path: a way for spends to reach the gateway. It converts its request to the common
 * form, passes that to the gateway, and converts the decision back. Its folder contains everything
 * that is specific to it, and no other part imports from there (ADR 17).
 */
export interface PaymentPath<Settings = unknown> {
  readonly name: PathName
  /** Absent if the path has no settings. */
  readonly settings?: PathSettings<Settings>
  /** The path's part of the catalogue of problems. */
  readonly problems?: Readonly<Record<string, ProblemKind>>
  /** The problem for each database constraint that a request can break. */
  readonly refusals?: Refusals
  /** The path's part of the catalogue of log events. */
  readonly logEvents?: Readonly<Record<string, LogEvent>>
  /** The values that the path stores sealed. */
  readonly sealed?: readonly SealedValues[]
  /**
   * Compares our records with those of other parties, for `purser doctor`. Changes nothing, and is
   * not called in a transaction. Undefined if there is nothing to compare.
   */
  examine?(db: Queryable, settings: Settings): Promise<Finding | undefined>
  open(parts: PathParts, settings: Settings): OpenPath | Promise<OpenPath>
}

/** What an examination found. */
export interface Finding {
  readonly status: 'ok' | 'warn' | 'fail'
  /** One sentence or two. */
  readonly text: string
  /** The next step for the operator; null if there is none. */
  readonly action: string | null
}

export interface PathSettings<Settings> {
  /** Describes every variable that `read` reads. */
  readonly group: SettingGroup
  /**
   * Reads the settings. Adds a sentence for every mistake, with the variable and its expected
   * value, and continues after the first one, so that the mistakes of all parts are reported
   * together.
   */
  read(variable: ReadVariable, mistakes: string[]): Settings
}

/**
 * Returns the value of a variable, or the content of the file that it names. Returns undefined if
 * it is unset or empty.
 */
export type ReadVariable = (name: string) => string | undefined

/** The dependencies of a payment path. */
export interface PathParts {
  readonly gateway: Gateway
  readonly db: Database
  /** Runs the writes of routes behind our API key. */
  readonly write: Write
  readonly sealer: Sealer
  readonly outbound: OutboundClient
  /** The estimated time, for values that are only displayed or used as names (ADR 21). */
  readonly now: () => Instant
  /** The database's time, for code that changes or judges state (ADR 21). */
  readonly clock: DatabaseClock
  /** The public URL of this gateway, or undefined if it is not configured. */
  readonly publicUrl: () => string | undefined
  /**
   * Authenticates requests of a door that requires our own API key: sets `request.principal`, or
   * refuses. Sessions do not count there.
   */
  readonly authenticate: (request: FastifyRequest, reply: FastifyReply) => Promise<void> | undefined
  /** Whether real money follows from the decisions of this installation. */
  readonly keyKind: 'live' | 'test'
  readonly log: Log
}

/** A background job. `round` runs it once, without waiting for its timer. */
export interface Worker extends Part {
  round?(): Promise<void>
}

export interface OpenPath {
  /** Registers endpoints behind our API key, under /api/v1. */
  routes?(api: App): void
  /** Endpoints that the machines of other parties call. */
  readonly doors?: readonly Door[]
  /** Background jobs. They start before the first request, and stop after the last. */
  readonly workers?: readonly (() => Worker)[]
  /** Removes old data of the path during housekeeping. */
  readonly removers?: readonly Remover[]
  /**
   * Lets an operator end a hold by hand if no party is left that could prove its outcome (ADR 32).
   */
  readonly byHand?: EndByHand
  /** Reads how much its reconciler has to do, for metrics. */
  readonly backlog?: (db: Queryable) => Promise<Backlog>
  /** The fields of vendors and of the organization that belong to this path. */
  readonly fields?: PathFields
}

/** A path with its settings. */
export interface ConfiguredPath {
  readonly name: PathName
  readonly settings: unknown
  readonly refusals: Refusals | undefined
  readonly sealed: readonly SealedValues[] | undefined
  examine(db: Queryable): Promise<Finding | undefined>
  open(parts: PathParts): Promise<OpenPath>
}

export function withSettings<Settings>(
  path: PaymentPath<Settings>,
  settings: Settings,
): ConfiguredPath {
  const { name, refusals, sealed } = path
  return {
    ...{ name, settings, refusals, sealed },
    examine: async (db) => path.examine?.(db, settings),
    open: async (parts) => path.open(parts, settings),
  }
}

/** Lists the whole catalogue: first the problems that all paths share, then those of each path. */
export function listProblems(paths: readonly PaymentPath[]): ProblemKind[] {
  return [PROBLEMS, ...paths.map(({ problems }) => problems ?? {})].flatMap((part) =>
    Object.values(part),
  )
}

/**
 * Collects the refusals of all paths. The storage answers with them, and does not depend on any
 * path.
 */
export function listRefusals(paths: readonly Pick<ConfiguredPath, 'refusals'>[]): Refusals {
  return new Map(paths.flatMap(({ refusals = [] }) => [...refusals]))
}

/** Lists the whole catalogue of log events, in the same order. */
export function listLogEvents(paths: readonly PaymentPath[]): LogEvent[] {
  return [LOG_EVENTS, ...paths.map(({ logEvents }) => logEvents ?? {})].flatMap((part) =>
    Object.values<LogEvent>(part),
  )
}
