import { parseUrl } from '../../base/parse-url.ts'
import type { ReadVariable } from '../../paths/path.ts'
import type { TraceSettings } from '../../tracing/open-tracing.ts'
import { SETTINGS } from './settings.ts'
import { readSwitch } from './variables.ts'

/** Reads where traces are sent; undefined if they are off. */
export function readTracing(read: ReadVariable, mistakes: string[]): TraceSettings | undefined {
  const endpoint = read('OTEL_EXPORTER_OTLP_ENDPOINT')
  const tellsVendors = readSwitch('PURSER_TRACE_VENDORS', read, mistakes) === true
  const serviceName = read('OTEL_SERVICE_NAME') ?? SETTINGS.OTEL_SERVICE_NAME.default
  if (endpoint === undefined) return undefined
  const url = parseUrl(endpoint)
  if (url?.protocol === 'http:' || url?.protocol === 'https:') {
    return { endpoint, serviceName, tellsVendors }
  }
  mistakes.push(
    `OTEL_EXPORTER_OTLP_ENDPOINT must be an address such as ${SETTINGS.OTEL_EXPORTER_OTLP_ENDPOINT.example}.`,
  )
  return undefined
}
