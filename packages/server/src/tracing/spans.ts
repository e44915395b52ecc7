import { AsyncLocalStorage } from 'node:async_hooks'
import { within } from '../base/within.ts'

type Value = string | number | boolean

/** One step of a trace. It must be ended once. */
export interface OpenSpan {
  set(fields: Readonly<Record<string, Value | undefined>>): void
  fail(): void
  end(): void
  /** The header for the receiver of a call that this span stands for. */
  traceparent(): string
  /** Runs the function so that spans started in it become children. */
  run<T>(inside: () => T): T
}

export interface SpanStart {
  readonly name: string
  readonly kind: 'server' | 'client' | 'internal'
  /** The header `traceparent` of a caller. Without it the running span is the parent. */
  readonly traceparent?: string | string[] | undefined
  readonly fields?: Readonly<Record<string, Value>>
}

export interface Spans {
  start(start: SpanStart): OpenSpan
  /** Sends the spans that wait, and ends the exporter. */
  stop(): Promise<void>
}

export interface SpanSettings {
  /** The address of the OTLP receiver, such as http://127.0.0.1:4318. */
  readonly endpoint: string
  readonly serviceName: string
  readonly version: string
}

/** The packages that traces need, with versions that fit each other on Node 20. */
export const TRACE_PACKAGES = [
  '@opentelemetry/api@1.9',
  '@opentelemetry/resources@2.12',
  '@opentelemetry/sdk-trace-node@2.12',
  '@opentelemetry/exporter-trace-otlp-http@0.223',
] as const

const STOP_MS = 5_000

interface TracePackages {
  readonly api: typeof import('@opentelemetry/api')
  readonly resources: typeof import('@opentelemetry/resources')
  readonly sdk: typeof import('@opentelemetry/sdk-trace-node')
  readonly exporter: typeof import('@opentelemetry/exporter-trace-otlp-http')
}

/** Loads the packages only now, because most gateways run without traces. */
export async function loadTracePackages(): Promise<TracePackages> {
  const [api, resources, sdk, exporter] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/sdk-trace-node'),
    import('@opentelemetry/exporter-trace-otlp-http'),
  ])
  return { api, resources, sdk, exporter }
}

/**
 * Opens the exporter. Nothing is registered globally: several gateways of one process, as in tests,
 * must not share their spans. The exporter keeps a bounded number of spans, sends them in the
 * background, and drops spans if the receiver is away.
 */
export function openSpans(
  { api, resources, sdk, exporter }: TracePackages,
  { endpoint, serviceName, version }: SpanSettings,
): Spans {
  const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`
  const provider = new sdk.NodeTracerProvider({
    resource: resources.resourceFromAttributes({
      'service.name': serviceName,
      'service.version': version,
    }),
    spanProcessors: [new sdk.BatchSpanProcessor(new exporter.OTLPTraceExporter({ url }))],
  })
  const tracer = provider.getTracer('purser', version)
  const running = new AsyncLocalStorage<TraceParent>()
  const { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } = api
  const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL }

  return {
    start({ name, kind, traceparent, fields }) {
      const caller = readTraceParent(traceparent)
      const parent = caller ?? running.getStore()
      const context = parent
        ? trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: caller !== undefined })
        : ROOT_CONTEXT
      const options = { kind: kinds[kind], ...(fields && { attributes: fields }) }
      const span = tracer.startSpan(name, options, context)
      const place = span.spanContext()
      return {
        set: (more) => void span.setAttributes(more),
        fail: () => void span.setStatus({ code: SpanStatusCode.ERROR }),
        end: () => span.end(),
        traceparent: () => toTraceParent(place),
        run: (inside) => running.run(place, inside),
      }
    },
    async stop() {
      // A receiver that is away must not keep the gateway from stopping: its spans are lost.
      await within(STOP_MS, provider.shutdown()).catch(() => {})
    },
  }
}

/** The place of a request in a trace, by W3C Trace Context. */
interface TraceParent {
  readonly traceId: string
  readonly spanId: string
  readonly traceFlags: number
}

const FORM =
  /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

/** Returns undefined unless the header is valid. Version 00 has exactly these four parts. */
export function readTraceParent(header: string | string[] | undefined): TraceParent | undefined {
  const [, version, traceId, spanId, flags, more] =
    typeof header === 'string' ? (FORM.exec(header) ?? []) : []
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined
  if (version === '00' && more !== undefined) return undefined
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1 }
}

export function toTraceParent({ traceId, spanId, traceFlags }: TraceParent): string {
  return `00-${traceId}-${spanId}-0${traceFlags & 1}`
}
