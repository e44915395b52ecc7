import type { Log } from '../base/log.ts'
import { openTracing } from '../tracing/open-tracing.ts'
import type { Spans } from '../tracing/spans.ts'
import { traceDecisions, traceOutbound, traceRequests } from '../tracing/trace-parts.ts'
import type { Config } from './config.ts'
import type { Metering } from './metering.ts'

/** Adds traces to the metrics, if they are configured. Both observe the same parts. */
export async function observe(
  metering: Metering,
  { tracing }: Pick<Config, 'tracing'>,
  log: Log,
): Promise<Metering> {
  const spans = await openTracing(tracing, log)
  return withTraces(metering, spans, tracing?.tellsVendors === true)
}

function withTraces(metering: Metering, spans: Spans | undefined, tellsVendors: boolean): Metering {
  if (!spans) return metering
  return {
    ...metering,
    counted: (app) => metering.counted(traceRequests(app, spans)),
    measured: (gateway) => traceDecisions(metering.measured(gateway), spans),
    toReceivers: (outbound) => traceOutbound(outbound, spans, { name: 'webhook', isSent: true }),
    toVendors: (outbound) =>
      traceOutbound(outbound, spans, { name: 'vendor', isSent: tellsVendors }),
    async stop() {
      await metering.stop()
      await spans.stop()
    },
  }
}
