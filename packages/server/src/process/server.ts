import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import { createAnswerWatch } from '../approvals/answer-watch.ts'
import { startApprovalSweeper } from '../approvals/approval-sweeper.ts'
import { createLogKeys, type LogKeys } from '../audit/log-keys.ts'
import { type Lifecycle, withLifecycle } from '../base/lifecycle.ts'
import { createLog } from '../base/log/create-log.ts'
import { logEvent } from '../base/log/log-event.ts'
import { toApprovalUrl } from '../core/approvals/request.ts'
import { type App, createApp } from '../http/app.ts'
import { authenticateKey } from '../http/auth/authenticate.ts'
import { createKeyCache } from '../http/auth/key-cache.ts'
import { registerDoors } from '../http/door.ts'
import { createWrite } from '../http/idempotency.ts'
import { renewClockFirst } from '../http/renew-clock.ts'
import { mcpRoutes } from '../mcp/serve-mcp.ts'
import type { OutboundClient } from '../outbound/outbound-client.ts'
import type { Resolve } from '../outbound/resolver.ts'
import type { PasswordCost } from '../people/passwords.ts'
import { createPeople } from '../people/people.ts'
import { startSignInRecorder } from '../people/record-sign-ins.ts'
import { registerConsole } from '../people/routes/index.ts'
import { registerApi } from '../routes/index.ts'
import { publishedKeyRoutes } from '../routes/mandate-tokens/published-keys.ts'
import { recordAgentsSeen } from '../storage/agents.ts'
import { recordKeyUses } from '../storage/api-keys.ts'
import { type Clock, createClock } from '../storage/engine/clock.ts'
import type { Database, Remover } from '../storage/engine/database.ts'
import { ensurePartitions } from '../storage/engine/partitions.ts'
import { createLastUse, type LastUseParts } from '../storage/last-use.ts'
import { countOrganizations } from '../storage/organizations.ts'
import { createKeyRing } from '../tokens/key-ring.ts'
import { createMandateTokens } from '../tokens/mandate-tokens.ts'
import type { Dispatcher } from '../webhooks/dispatcher.ts'
import {
  type AppConfig,
  addConsole,
  byHandOf,
  consoleSettingsOf,
  createLimits,
  installationRoutes,
  namedOf,
  removersOf,
  roundOf,
  settingsOf,
  warnOfProxies,
} from './app-settings.ts'
import type { Config } from './config.ts'
import { startControl } from './control/start-control.ts'
import { createDrain } from './drain.ts'
import { startKeepingHeads } from './heads-file.ts'
import { localUrl, toListenError } from './listening.ts'
import { createMetering, METERING_OFF, type Metering } from './observation/metering.ts'
import { observe } from './observation/observe.ts'
import { openGateway } from './open-gateway.ts'
import type { Storage } from './open-storage.ts'
import { prepareInstallation } from './prepare-installation.ts'
import { addMessages } from './start-messages.ts'
import { startMetrics } from './start-metrics.ts'
import { startUpkeep } from './start-upkeep.ts'
import { startWebhooks } from './start-webhooks.ts'
import { guardGateway, openGate } from './store-gate.ts'

export interface RunningServer {
  /** The URL on which it listens, such as http://127.0.0.1:3000. */
  readonly url: string
  /** The address for people: the configured one, else that of this machine by its name. */
  readonly publicUrl: string
  /** The URL of the metrics; undefined if they are off. */
  readonly metricsUrl: string | undefined
  /** The file that holds the first key, if this start has created one. */
  readonly firstKeyFile: string | undefined
  /** The file that holds the first key, if an earlier start has left it in the data folder. */
  readonly keptKeyFile: string | undefined
  /** The file with the token of the first owner, while the organization has no member. */
  readonly setupFile: string | undefined
  readonly hasOrganization: boolean
  readonly engine: Database['engine']
  /** Resolves if the database ends by itself: the process is useless then. */
  readonly died: Promise<Error> | undefined
  /**
   * Reports at /readyz that it stops, answers requests for the configured time, and then stops. The
   * log says how many requests were answered meanwhile.
   */
  drain(): Promise<void>
  /**
   * Stops accepting requests, answers those that were accepted, and closes. May be called more than
   * once.
   */
  stop(): Promise<void>
}

/**
 * Builds every part, joins them and listens. If anything fails, the parts that have started are
 * stopped.
 */
export function startServer(config: Config): Promise<RunningServer> {
  const metering = config.metrics ? createMetering() : METERING_OFF
  const { log, stop: stopLog } = createLog({ ...config.log, onEvent: metering.onLogEvent })
  return withLifecycle(async (lifecycle) => {
    lifecycle.onStop(stopLog)
    const { storage, ...files } = await prepareInstallation(lifecycle, config, log)
    lifecycle.add(await startControl({ db: storage.db, config, log }))
    const serving = await serve(lifecycle, storage, { config, log, metering })
    const metricsUrl = await startMetrics(lifecycle, config, metering, log)
    const hasOrganization = (await countOrganizations(storage.db)) > 0
    const { engine, died } = storage.db
    return { ...serving, metricsUrl, ...files, hasOrganization, engine, died }
  })
}

/** A process that serves requests. */
export type Serving = Pick<RunningServer, 'url' | 'publicUrl' | 'drain' | 'stop'>

interface ServeParts {
  readonly config: Config
  readonly log: FastifyBaseLogger
  readonly metering: Metering
}

/** Serves requests on an open storage, which the lifecycle closes. */
export async function serve(
  lifecycle: Lifecycle,
  storage: Storage,
  { config, log, metering }: ServeParts,
): Promise<Serving> {
  const observing = lifecycle.add(await observe(metering, config, log))
  const built = lifecycle.add(await buildApp(storage, config, log, {}, observing))
  const { app } = built
  const url = await listen(app, config)
  // No request needs these, so they start after the listener.
  startUpkeep(lifecycle, storage, built, log)
  addMessages(lifecycle, storage, { built, config, metering: observing, log })
  const keeping = startKeepingHeads({ db: storage.db, path: config.headsFile, log })
  if (keeping) lifecycle.add(keeping)
  const drain = createDrain({ app, log, drainMs: config.http.drainMs, stop: lifecycle.stop })
  lifecycle.add(drain)
  const publicUrl = config.publicUrl ?? localUrl(app)
  return { url, publicUrl, drain: drain.run, stop: lifecycle.stop }
}

/** Listens on the configured address, and returns its URL. */
export async function listen(app: App, { http }: Pick<Config, 'http'>): Promise<string> {
  const { host, port } = http
  return app.listen({ host, port }).catch((error: unknown) => {
    throw toListenError(error, http)
  })
}

export interface BuiltApp {
  readonly app: App
  readonly dispatcher: Dispatcher
  readonly clock: Clock
  readonly logKeys: LogKeys
  /** Sends nothing while the store is closed. */
  readonly outbound: OutboundClient
  /** Rows that housekeeping removes for the paths. */
  readonly removers: readonly Remover[]
  /**
   * Runs one round of each worker that acts when a time has come. The demo calls it, because its
   * clock moves faster than the workers' timers.
   */
  round(): Promise<void>
  stop(): Promise<void>
}

/** Replacements that only tests and the demo pass (ADR 56). */
export interface Seams {
  /** Changes the clock. While it returns undefined, time is real. */
  readonly turned?: () => number | undefined
  /** No statement reads the database's clock while time is turned. */
  readonly isClockAlone?: boolean
  /** Replaces the cost of a password's hash. */
  readonly passwordCost?: PasswordCost
  /** Replaces the name servers. */
  readonly resolve?: Resolve
  /** Adds routes of the demo. */
  addRoutes?(app: App): void
}

/**
 * Builds the whole app on an open storage. Parts are added in the order of their dependencies. The
 * listener stops first, so that accepted requests still find all parts.
 */
export function buildApp(
  { db, sealer }: Storage,
  config: AppConfig,
  log: FastifyBaseLogger,
  { turned, isClockAlone, passwordCost, resolve, addRoutes }: Seams = {},
  metering: Metering = METERING_OFF,
): Promise<BuiltApp> {
  return withLifecycle(async (lifecycle) => {
    const { add, onStop, stop } = lifecycle
    const app = metering.counted(createApp(log))
    const isProduction = config.environment === 'production'
    if (isProduction) warnOfProxies(app, config, log)
    const clock = await createClock(db, turned, isClockAlone)
    renewClockFirst(app, clock)
    const { estimate: now, read } = clock
    await preparePartitions(db, now(), log)
    const keys = add(await createKeyCache(db, now))
    const noteUses = (write: LastUseParts['write']) => add(createLastUse({ write, now, log }))
    const agentUse = noteUses((id, uses) => recordAgentsSeen(db, id, uses))
    const keyUse = noteUses((id, uses) => recordKeyUses(db, id, uses))
    const cookies = { isDevelopment: !isProduction, publicUrl: config.publicUrl }
    const people = add(await createPeople({ db, clock: read, now, log, cookies, passwordCost }))
    const { gate, outbound } = await openGate(lifecycle, { db, log, config, resolve })
    const webhooks = { db, sealer, outbound, clock: read, log, ...config.webhooks }
    const { dispatcher, onStored, forRoutes } = startWebhooks(lifecycle, webhooks, metering)
    const publicUrl = () => config.publicUrl ?? (isProduction ? undefined : localUrl(app))
    const approvalUrl = (id: string) => toApprovalUrl(publicUrl(), id)
    const told = { db, clock, onStored, log }
    const noting = { ...told, agentUse, approvalUrl }
    const gateway = guardGateway(openGateway(lifecycle, noting, config, metering), gate)
    const sweeper = add(startApprovalSweeper(told))
    const recorder = add(startSignInRecorder({ ...told, clock: read, notes: people.notes }))
    const keyKind = isProduction ? ('live' as const) : ('test' as const)
    const keyRing = createKeyRing({ db, sealer, clock: read, now })
    const write = createWrite({ db, sealer, clock: read })
    const logKeys = createLogKeys({ db, sealer, now })
    const stored = { db, sealer, now, clock: read, logKeys }
    const parts = { ...stored, gateway, outbound, write, keyKind, publicUrl }
    const { exempt, ...limits } = metering.limits(createLimits(now, config.limits))
    const admission = { keys, keyUse, keyKind, now, ...limits }
    const forPaths = {
      ...parts,
      outbound: metering.toVendors(outbound),
      log,
      authenticate: (request: FastifyRequest, reply: FastifyReply) =>
        authenticateKey(request, reply, admission),
    }
    const paths = await Promise.all(config.paths.map((path) => path.open(forPaths)))

    const store = gate.state
    metering.watch({ ...forRoutes, db, gateway, store, now, log }, namedOf(config.paths, paths))
    installationRoutes(app, { db, commit: config.commit, store })
    publishedKeyRoutes(app, { keyRing })
    mcpRoutes(app, { cookies, exempt, admission })
    const forConsole = consoleSettingsOf(config, log)
    await registerConsole(app, { ...parts, ...people, ...limits, ...forConsole })
    await registerApi(
      app,
      {
        ...parts,
        ...people,
        ...admission,
        byHand: byHandOf(config.paths, paths),
        watch: (principal, onGone) =>
          (principal.kind === 'member' ? people.sessions : keys).watch(principal, onGone),
        ...settingsOf(config),
        ...forRoutes,
        onApproval: metering.onApproval,
        answerWatch: createAnswerWatch({ db, now }),
        tokens: createMandateTokens(keyRing),
      },
      paths,
    )
    await registerDoors(app, paths)
    await addConsole(app, config, log)
    addRoutes?.(app)
    const workers = paths.flatMap(({ workers = [] }) => workers).map((start) => add(start()))
    onStop(() => app.close())
    const round = () => roundOf([sweeper, recorder, ...workers, dispatcher])
    return { app, dispatcher, clock, logKeys, outbound, removers: removersOf(paths), round, stop }
  })
}

/**
 * A start does not need all nodes of a distributed store. Without its partition, a row of a month is in
 * the one for the rest, and housekeeping tries again.
 */
async function preparePartitions(db: Database, now: number, log: FastifyBaseLogger): Promise<void> {
  try {
    await ensurePartitions(db, now)
  } catch (err) {
    if (db.nodes === undefined) throw err
    logEvent(log, 'storage.partitions_delayed', { err })
  }
}
