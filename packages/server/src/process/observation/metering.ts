import { Problem } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'
import { VERSION } from '../../base/version.ts'
import type { Gateway, OnBatch } from '../../gateway/gateway.ts'
import type { App } from '../../http/app.ts'
import type { InFlight } from '../../http/limits/in-flight.ts'
import type { RateLimit } from '../../http/limits/rate-limit.ts'
import type { OnMessage } from '../../messages/attempt.ts'
import type { GaugeName } from '../../metrics/catalogue.ts'
import { watchProcess } from '../../metrics/process-figures.ts'
import { createRegistry, type Registry, type Snapshot } from '../../metrics/registry.ts'
import type { OutboundClient } from '../../outbound/outbound-client.ts'
import type { OpenPath } from '../../paths/path.ts'
import type { Database } from '../../storage/engine/database.ts'
import type { OnAttempt } from '../../webhooks/dispatcher.ts'
import { createDecisionMeter, measureDecisions } from './measure-decisions.ts'
import { watchStored } from './stored-figures.ts'

interface Limits {
  readonly rateLimit: RateLimit
  readonly inFlight: InFlight
}

interface WatchedParts {
  readonly db: Database
  readonly gateway: Pick<Gateway, 'queued'>
  readonly feed: { count(): number }
  /** `open`, or the state for which the store is closed. */
  readonly store: () => string
  readonly now: () => number
  readonly log: Log
}

/** Connects the parts of a gateway with its metrics. */
export interface Metering {
  /** All values as JSON. A worker can send them to the process that serves the page. */
  read(): Promise<Snapshot>
  /** These are undefined if metrics are off. */
  readonly onBatch: OnBatch | undefined
  readonly onAttempt: OnAttempt | undefined
  readonly onMessage: OnMessage | undefined
  readonly onApproval: ((waitedMs: number) => void) | undefined
  readonly onLogEvent: ((event: string, level: string) => void) | undefined
  measured(gateway: Gateway): Gateway
  limits<Some extends Limits>(limits: Some): Some
  /** Must be called before the app has routes. */
  counted(app: App): App
  /** The clients for calls to receivers of webhooks and to vendors. */
  toReceivers(outbound: OutboundClient): OutboundClient
  toVendors(outbound: OutboundClient): OutboundClient
  /** Adds the figures that are read at each scrape. */
  watch(parts: WatchedParts, paths: ReadonlyMap<string, OpenPath>): void
  stop(): Promise<void>
}

/** Measures nothing, so that a gateway without metrics pays nothing for them. */
export const METERING_OFF: Metering = {
  read: async () => ({}),
  onBatch: undefined,
  onAttempt: undefined,
  onMessage: undefined,
  onApproval: undefined,
  onLogEvent: undefined,
  measured: (gateway) => gateway,
  limits: (limits) => limits,
  counted: (app) => app,
  toReceivers: (outbound) => outbound,
  toVendors: (outbound) => outbound,
  watch() {},
  async stop() {},
}

export function createMetering(): Metering {
  const registry = createRegistry()
  const batchSize = registry.histogram('purser_batch_size')
  const batchSeconds = registry.histogram('purser_batch_seconds')
  const attemptSeconds = registry.histogram('purser_webhook_attempt_seconds')
  const deliverySeconds = registry.histogram('purser_webhook_delivery_seconds')
  const approvalSeconds = registry.histogram('purser_approval_wait_seconds')
  const lost = registry.counter('purser_webhook_deliveries_failed_total', [])
  const endings: (() => unknown)[] = []

  return {
    read: registry.read,
    onBatch(size, ms) {
      batchSize(size)
      batchSeconds(ms / 1_000)
    },
    onAttempt({ occurredAt }, { outcome, durationMs, endedAt, deliveryStatus }) {
      registry.count('purser_webhook_attempts_total', [outcome])
      attemptSeconds(durationMs / 1_000)
      if (outcome === 'succeeded') deliverySeconds(Math.max(0, endedAt - occurredAt) / 1_000)
      if (deliveryStatus === 'failed') lost()
    },
    onMessage: (kind, channel, outcome) =>
      registry.count('purser_messages_total', [kind, channel, outcome]),
    onApproval: (waitedMs) => approvalSeconds(waitedMs / 1_000),
    onLogEvent: (event, level) => registry.count('purser_log_events_total', [event, level]),
    measured: (gateway) => measureDecisions(gateway, createDecisionMeter(registry)),
    limits(limits) {
      const { rateLimit, inFlight } = limits
      const refused = (error: unknown): unknown => {
        if (error instanceof Problem) registry.count('purser_ratelimited_total', [limitOf(error)])
        return error
      }
      return {
        ...limits,
        rateLimit: counting(rateLimit, refused),
        inFlight: counting(inFlight, refused),
      }
    },
    counted: (app) => countRequests(app, registry),
    toReceivers: (outbound) => outbound,
    toVendors: (outbound) => outbound,
    watch({ db, gateway, feed, store, now, log }, paths) {
      const set = (name: GaugeName, value: number, ...labels: string[]) =>
        registry.set(name, [{ labels, value }])
      endings.push(watchProcess(registry, now() - process.uptime() * 1_000))
      registry.onRead(() => {
        set('purser_build_info', 1, VERSION, process.version, db.engine)
        set('purser_store_closed', store() === 'open' ? 0 : 1)
        set('purser_decision_queue_length', gateway.queued())
        set('purser_sse_clients', feed.count())
        const pool = db.connections?.()
        if (!pool) return
        registry.set('purser_db_connections', [
          { labels: ['busy'], value: pool.busy },
          { labels: ['idle'], value: pool.idle },
        ])
        set('purser_db_connections_max', pool.max)
        set('purser_db_waiting', pool.waiting)
      })
      const backlogs = [...paths].flatMap(([name, { backlog }]) =>
        backlog ? [[name, backlog] as const] : [],
      )
      endings.push(watchStored(registry, { db, now, paths: new Map(backlogs), log }))
    },
    async stop() {
      for (const end of endings) await end()
    },
  }
}

function counting<Parameters extends unknown[], Result>(
  limit: (...parameters: Parameters) => Result,
  refused: (error: unknown) => unknown,
): (...parameters: Parameters) => Result {
  return (...parameters) => {
    try {
      return limit(...parameters)
    } catch (error) {
      throw refused(error)
    }
  }
}

/** The limit of the organization answers with `overloaded`, which names no limit. */
function limitOf({ extra }: Problem): string {
  const limited = extra && 'limited' in extra ? extra['limited'] : undefined
  return typeof limited === 'string' ? limited : 'in_flight_per_organization'
}

/**
 * Counts answers by route and status. Each route gets a hook that knows its counters, so that a
 * request looks up nothing but its status. An address without a route counts as `none`: callers
 * could otherwise add labels.
 */
function countRequests(app: App, registry: Registry): App {
  const unrouted = createAnswerCounter(registry, 'none')
  app.addHook('onResponse', (request, { statusCode }, done) => {
    if (request.is404) unrouted(statusCode)
    done()
  })
  app.addHook('onRoute', (route) => {
    const count = createAnswerCounter(registry, `${[route.method].flat().join('|')} ${route.url}`)
    const counted = (_request: unknown, reply: { statusCode: number }, done: () => void) => {
      count(reply.statusCode)
      done()
    }
    route.onResponse = [...[route.onResponse ?? []].flat(), counted]
  })
  return app
}

/** Keeps the counter of each status, because looking it up by its labels takes longer. */
function createAnswerCounter(registry: Registry, route: string): (status: number) => void {
  const counters = new Map<number, () => void>()
  return (status) => {
    const known = counters.get(status)
    const count = known ?? registry.counter('purser_api_requests_total', [route, String(status)])
    if (!known) counters.set(status, count)
    count()
  }
}
