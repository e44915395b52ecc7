/** One metric as docs/metrics.md describes it. */
export interface Metric {
  readonly type: 'counter' | 'gauge' | 'histogram'
  /** One sentence without a line break: Prometheus shows it as the help text. */
  readonly help: string
  /** The labels with the meaning of their values. An outsider must not be able to add values. */
  readonly labels?: Readonly<Record<string, string>>
  /** The upper bounds of a histogram's buckets. */
  readonly buckets?: readonly number[]
  /**
   * How the values of several workers become one. Every worker reads the same database, so those
   * values must not be added.
   */
  readonly merged?: 'sum' | 'max'
  /** Read from the database, at most once in ten seconds. */
  readonly isStored?: true
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const LONG_SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800, 3_600, 21_600]
const SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256]

const PATH = '`evaluate`, `x402`, `acp` or `card`'

/** Every metric of the gateway. docs/metrics.md follows from this list. */
export const METRICS = {
  purser_decisions_total: {
    type: 'counter',
    help: 'Spends that were decided.',
    labels: {
      path: PATH,
      decision: '`approved` or `rejected`',
      code: 'the [code](decisions.md) of the decision',
    },
  },
  purser_decision_replays_total: {
    type: 'counter',
    help: 'Stored decisions that were returned again for a repeated Idempotency-Key.',
    labels: { path: PATH },
  },
  purser_decision_errors_total: {
    type: 'counter',
    help: 'Spends that were not decided because of a problem.',
    labels: { path: PATH, code: 'the [code](errors.md) of the problem' },
  },
  purser_decision_seconds: {
    type: 'histogram',
    help: 'Time from the arrival of a spend to its stored decision.',
    labels: { path: PATH },
    buckets: SECONDS,
  },
  purser_batch_size: {
    type: 'histogram',
    help: 'Spends that one database transaction decided.',
    buckets: SIZES,
  },
  purser_batch_seconds: {
    type: 'histogram',
    help: 'Time from the start of a batch to its commit.',
    buckets: SECONDS,
  },
  purser_decision_queue_length: {
    type: 'gauge',
    help: 'Spends that wait for their batch.',
  },
  purser_api_requests_total: {
    type: 'counter',
    help: 'HTTP requests that were answered.',
    labels: {
      route:
        'method and pattern of the route, such as `GET /api/v1/agents/:id`; `none` without one',
      status: 'the HTTP status code',
    },
  },
  purser_ratelimited_total: {
    type: 'counter',
    help: 'Requests that a limit refused.',
    labels: {
      limit: '`requests_per_minute`, `in_flight_per_key` or `in_flight_per_organization`',
    },
  },
  purser_sse_clients: {
    type: 'gauge',
    help: 'Open event streams.',
  },
  purser_webhook_attempts_total: {
    type: 'counter',
    help: 'Attempts to deliver an event.',
    labels: { outcome: '`succeeded`, `failed` or `interrupted`' },
  },
  purser_webhook_attempt_seconds: {
    type: 'histogram',
    help: 'Time of one attempt, from the DNS lookup to the response.',
    buckets: SECONDS,
  },
  purser_webhook_delivery_seconds: {
    type: 'histogram',
    help: 'Time from an event to its successful delivery, with all retries.',
    buckets: LONG_SECONDS,
  },
  purser_webhook_deliveries_failed_total: {
    type: 'counter',
    help: 'Deliveries that failed for good, after the last retry.',
  },
  purser_webhook_queue_length: {
    type: 'gauge',
    help: 'Deliveries that wait for an attempt, up to 10001.',
    isStored: true,
  },
  purser_webhook_endpoints_paused: {
    type: 'gauge',
    help: 'Webhook endpoints that are paused because every attempt failed for five days, up to 10001.',
    isStored: true,
  },
  purser_webhook_paused_deliveries: {
    type: 'gauge',
    help: 'Deliveries that wait because their endpoint is paused, up to 10001.',
    isStored: true,
  },
  purser_webhook_paused_oldest_seconds: {
    type: 'gauge',
    help: 'How long the oldest delivery to a paused endpoint has waited since it was due.',
    isStored: true,
  },
  purser_outbox_lag_seconds: {
    type: 'gauge',
    help: 'How long the oldest due delivery has waited for its attempt, without those to paused endpoints.',
    isStored: true,
  },
  purser_messages_total: {
    type: 'counter',
    help: 'Attempts to send a message to a person or a chat.',
    labels: {
      kind: '`approvals`, `budget`, `endpoints` or `invitation`',
      channel: '`mail` or `chat`',
      outcome:
        '`sent`, `retried`, `failed` after the last retry, or `dropped` because nothing was left to say',
    },
  },
  purser_messages_waiting: {
    type: 'gauge',
    help: 'Messages that wait to be sent, with those that gather news, up to 10001.',
    isStored: true,
  },
  purser_messages_lag_seconds: {
    type: 'gauge',
    help: 'How long the oldest due message has waited to be sent.',
    isStored: true,
  },
  purser_holds_open: {
    type: 'gauge',
    help: 'Open holds, up to 10001.',
    isStored: true,
  },
  purser_holds_overdue_seconds: {
    type: 'gauge',
    help: 'How long the longest overdue hold has waited for the sweeper.',
    isStored: true,
  },
  purser_approvals_pending: {
    type: 'gauge',
    help: 'Approval requests that wait for a person, up to 10001.',
    isStored: true,
  },
  purser_approvals_oldest_seconds: {
    type: 'gauge',
    help: 'Age of the oldest approval request that waits for a person.',
    isStored: true,
  },
  purser_approval_wait_seconds: {
    type: 'histogram',
    help: 'Time from an approval request to the decision of a person.',
    buckets: LONG_SECONDS,
  },
  purser_sealing_lag_entries: {
    type: 'gauge',
    help: 'Entries of feeds that the audit logs of up to 1000 organizations do not contain yet.',
    isStored: true,
  },
  purser_sealing_lag_seconds: {
    type: 'gauge',
    help: 'Age of the oldest unsealed event of up to 20 organizations.',
    isStored: true,
  },
  purser_audit_logs_stopped: {
    type: 'gauge',
    help: 'Audit logs that have stopped, up to 1001. An operator must repair them.',
    isStored: true,
  },
  purser_analytics_lag_entries: {
    type: 'gauge',
    help: 'Entries of feeds that the totals of up to 1000 organizations do not contain yet.',
    isStored: true,
  },
  purser_reconciler_open: {
    type: 'gauge',
    help: 'Payments whose outcome the reconciler of a path follows, up to 10001.',
    labels: { path: '`x402`, `acp` or `card`' },
    isStored: true,
  },
  purser_reconciler_lag_seconds: {
    type: 'gauge',
    help: 'How long the most overdue check of the reconciler of a path has waited.',
    labels: { path: '`x402`, `acp` or `card`' },
    isStored: true,
  },
  purser_stored_figures_age_seconds: {
    type: 'gauge',
    help: 'Age of the figures that were read from the database; none if no reading has succeeded.',
    merged: 'max',
  },
  purser_db_connections: {
    type: 'gauge',
    help: 'Connections of the pool.',
    labels: { state: '`busy` or `idle`' },
  },
  purser_db_connections_max: {
    type: 'gauge',
    help: 'The most connections that the pool opens.',
  },
  purser_db_waiting: {
    type: 'gauge',
    help: 'Statements and transactions that wait for a connection of the pool.',
  },
  purser_log_events_total: {
    type: 'counter',
    help: 'Log events of the levels warn, error and fatal, repeated ones included.',
    labels: {
      event: 'the [code](log-events.md) of the event',
      level: '`warn`, `error` or `fatal`',
    },
  },
  purser_build_info: {
    type: 'gauge',
    help: 'Always 1; the labels describe the program.',
    labels: {
      version: 'the version of the gateway',
      node: 'the version of Node.js',
      engine: '`postgres` or `embedded`',
    },
    merged: 'max',
  },
  purser_store_closed: {
    type: 'gauge',
    help: '1 while the store is closed, after a restore or a move, so that every spend is refused; else 0.',
    merged: 'max',
  },
  process_cpu_seconds_total: {
    type: 'counter',
    help: 'CPU time of the process, in user and system mode.',
  },
  process_resident_memory_bytes: {
    type: 'gauge',
    help: 'Resident memory of the process.',
  },
  process_start_time_seconds: {
    type: 'gauge',
    help: 'Start of the process, in seconds since 1970.',
    merged: 'max',
  },
  nodejs_heap_size_used_bytes: {
    type: 'gauge',
    help: 'Used part of the JavaScript heap.',
  },
  nodejs_eventloop_lag_p50_seconds: {
    type: 'gauge',
    help: 'Median delay of the event loop since the last scrape.',
    merged: 'max',
  },
  nodejs_eventloop_lag_p99_seconds: {
    type: 'gauge',
    help: '99th percentile of the delay of the event loop since the last scrape.',
    merged: 'max',
  },
  nodejs_eventloop_lag_max_seconds: {
    type: 'gauge',
    help: 'Longest delay of the event loop since the last scrape.',
    merged: 'max',
  },
  nodejs_eventloop_utilization_ratio: {
    type: 'gauge',
    help: 'Share of time that the event loop was busy since the last scrape, from 0 to 1.',
    merged: 'max',
  },
} as const satisfies Readonly<Record<string, Metric>>

export type MetricName = keyof typeof METRICS

type NamesOf<Type extends Metric['type']> = {
  [Name in MetricName]: (typeof METRICS)[Name]['type'] extends Type ? Name : never
}[MetricName]

export type CounterName = NamesOf<'counter'>
export type GaugeName = NamesOf<'gauge'>
export type HistogramName = NamesOf<'histogram'>

export function metricOf(name: MetricName): Metric {
  return METRICS[name]
}
