import { logEvent } from '../base/log/log-event.ts'
import type { Log } from '../base/log.ts'
import { VERSION } from '../base/version.ts'
import { loadTracePackages, openSpans, type Spans, TRACE_PACKAGES } from './spans.ts'

export interface TraceSettings {
  readonly endpoint: string
  readonly serviceName: string
  /** Whether vendors get the header `traceparent`. */
  readonly tellsVendors: boolean
}

/**
 * Opens the traces. If the optional packages are missing, the log names them and the gateway runs
 * without traces: decisions are worth more than their traces.
 */
export async function openTracing(
  settings: TraceSettings | undefined,
  log: Log,
  load = loadTracePackages,
): Promise<Spans | undefined> {
  if (!settings) return undefined
  try {
    return openSpans(await load(), { ...settings, version: VERSION })
  } catch (err) {
    logEvent(log, 'tracing.unavailable', { err, packages: TRACE_PACKAGES.join(' ') })
    return undefined
  }
}
