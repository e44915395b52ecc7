import type { Lifecycle } from '../base/lifecycle.ts'
import { logEvent } from '../base/log/log-event.ts'
import type { Log } from '../base/log.ts'
import { serveMetrics } from '../metrics/serve-metrics.ts'
import type { Config } from './config.ts'
import { toListenError } from './listening.ts'
import type { Metering } from './observation/metering.ts'

/** The settings that an error about the address names. */
export const METRICS_NAMES = {
  portName: 'PURSER_METRICS_PORT',
  hostName: 'PURSER_METRICS_HOST',
}

/** Serves the metrics on their own port, and returns their URL; undefined if they are off. */
export async function startMetrics(
  { add }: Lifecycle,
  { metrics }: Pick<Config, 'metrics'>,
  { read }: Pick<Metering, 'read'>,
  log: Log,
): Promise<string | undefined> {
  if (!metrics) return undefined
  const server = await serveMetrics(metrics, read).catch((error: unknown) => {
    throw toListenError(error, { ...metrics, ...METRICS_NAMES })
  })
  add(server)
  logEvent(log, 'process.metrics_listening', { url: server.url })
  return server.url
}
