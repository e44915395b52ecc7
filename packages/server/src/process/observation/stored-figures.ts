import { logEvent } from '../../base/log/log-event.ts'
import type { Log } from '../../base/log.ts'
import { within } from '../../base/within.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { GaugeName } from '../../metrics/catalogue.ts'
import type { Registry } from '../../metrics/registry.ts'
import {
  type Backlog,
  COUNTED_MAX,
  countStoppedLogs,
  countUncountedEntries,
  readApprovalBacklog,
  readDeliveryBacklog,
  readHoldBacklog,
  readMessageBacklog,
  readPausedBacklog,
  readSealingBacklog,
} from '../../storage/backlogs.ts'
import type { Database, Queryable } from '../../storage/engine/database.ts'
import { countFailedEndpoints } from '../../storage/webhooks/endpoint-health.ts'

/** The database is read at most this often, however often the metrics are scraped. */
const FRESH_MS = 10_000
/** A scrape waits at most this long for a reading; then it shows the figures of the last one. */
const WAIT_MS = 500
/** Older figures are not shown, because an alert would judge a state that is long over. */
const OLDEST_MS = 120_000
const STATEMENT_LIMIT = `set local statement_timeout = '2s'`

/** Reads the backlog of a payment path's reconciler. */
export type ReadBacklog = (db: Queryable) => Promise<Backlog>

export interface StoredFiguresParts {
  readonly db: Database
  readonly now: () => Instant
  readonly paths: ReadonlyMap<string, ReadBacklog>
  readonly log: Log
}

type Figures = readonly (readonly [name: GaugeName, value: number, ...labels: string[]])[]

/**
 * Reads the figures that only the database knows, when the metrics are scraped. One transaction at
 * a time reads them on one connection, with a time limit, so that no decision waits for them.
 * Returns a function that waits for the last reading.
 */
export function watchStored(registry: Registry, parts: StoredFiguresParts): () => Promise<void> {
  const { now, log } = parts
  let last: { readonly figures: Figures; readonly at: number } | undefined
  let triedAt = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | undefined
  const names = new Set<GaugeName>()

  function refresh(): Promise<void> {
    triedAt = performance.now()
    return readFigures(parts, now())
      .then((figures) => {
        last = { figures, at: performance.now() }
      })
      .catch((err: unknown) => logEvent(log, 'metrics.read_failed', { err }))
      .finally(() => {
        reading = undefined
      })
  }

  registry.onRead(async () => {
    if (performance.now() - triedAt >= FRESH_MS) reading ??= refresh()
    if (reading !== undefined) await within(WAIT_MS, reading)
    const age = last ? performance.now() - last.at : Number.POSITIVE_INFINITY
    show(last && age < OLDEST_MS ? last.figures : [])
    const ages = last ? [{ labels: [], value: age / 1_000 }] : []
    registry.set('purser_stored_figures_age_seconds', ages)
  })

  function show(figures: Figures): void {
    for (const name of names) registry.set(name, [])
    names.clear()
    for (const [name] of figures) names.add(name)
    for (const name of names) {
      const own = figures.filter((figure) => figure[0] === name)
      registry.set(
        name,
        own.map(([, value, ...labels]) => ({ labels, value })),
      )
    }
  }

  return async () => {
    await reading
  }
}

async function readFigures({ db, paths }: StoredFiguresParts, now: Instant): Promise<Figures> {
  const age = (since: Instant | null) => (since === null ? 0 : Math.max(0, now - since) / 1_000)
  return db.transaction(async (tx) => {
    tx.send({ text: STATEMENT_LIMIT })
    const [
      holds,
      approvals,
      deliveries,
      paused,
      waiting,
      messages,
      sealing,
      stopped,
      uncounted,
      ...reconcilers
    ] = await Promise.all([
      readHoldBacklog(tx),
      readApprovalBacklog(tx, now),
      readDeliveryBacklog(tx, now),
      countFailedEndpoints(tx, COUNTED_MAX),
      readPausedBacklog(tx),
      readMessageBacklog(tx, now),
      readSealingBacklog(tx),
      countStoppedLogs(tx),
      countUncountedEntries(tx),
      ...[...paths].map(async ([path, read]) => ({ path, ...(await read(tx)) })),
    ])
    return [
      ['purser_holds_open', holds.count],
      ['purser_holds_overdue_seconds', age(holds.since)],
      ['purser_approvals_pending', approvals.count],
      ['purser_approvals_oldest_seconds', age(approvals.since)],
      ['purser_webhook_queue_length', deliveries.count],
      ['purser_outbox_lag_seconds', age(deliveries.since)],
      ['purser_webhook_endpoints_paused', paused],
      ['purser_webhook_paused_deliveries', waiting.count],
      ['purser_webhook_paused_oldest_seconds', age(waiting.since)],
      ['purser_messages_waiting', messages.count],
      ['purser_messages_lag_seconds', age(messages.since)],
      ['purser_sealing_lag_entries', sealing.count],
      ['purser_sealing_lag_seconds', age(sealing.since)],
      ['purser_audit_logs_stopped', stopped],
      ['purser_analytics_lag_entries', uncounted],
      ...reconcilers.flatMap(({ path, count, since }) => [
        ['purser_reconciler_open', count, path] as const,
        ['purser_reconciler_lag_seconds', age(since), path] as const,
      ]),
    ]
  })
}
