import type { FastifyRequest } from 'fastify'
import type { Log } from '../../base/log.ts'
import { toPublicId } from '../../core/id.ts'
import type { Gateway } from '../../gateway/gateway.ts'
import type { Decided, Submission } from '../../gateway/submission.ts'
import type { App } from '../../http/app.ts'
import { clientRequestIdOf } from '../../http/client-request-id.ts'
import type { OutboundClient } from '../../outbound/outbound-client.ts'
import { openTracing } from '../../tracing/open-tracing.ts'
import type { OpenSpan, Spans } from '../../tracing/spans.ts'
import type { Config } from '../config.ts'
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

/** One span for each request. Its name is the pattern of the route, so it contains no ids. */
function traceRequests(app: App, spans: Spans): App {
  const open = new WeakMap<FastifyRequest, OpenSpan>()
  app.addHook('onRequest', (request, _reply, done) => {
    const { method, headers } = request
    const route = request.is404 ? 'none' : (request.routeOptions.url ?? 'none')
    const clientRequestId = clientRequestIdOf(request)
    const fields = {
      'http.request.method': method,
      'http.route': route,
      'purser.request_id': request.id,
      ...(clientRequestId !== undefined && { 'purser.client_request_id': clientRequestId }),
    }
    const { traceparent } = headers
    open.set(
      request,
      spans.start({ name: `${method} ${route}`, kind: 'server', traceparent, fields }),
    )
    done()
  })
  // The last hook before the handler: what reads the body runs outside of the context.
  app.addHook('preHandler', (request, _reply, done) => {
    const span = open.get(request)
    if (span) span.run(done)
    else done()
  })
  app.addHook('onResponse', (request, { statusCode }, done) => {
    const span = open.get(request)
    span?.set({ 'http.response.status_code': statusCode })
    if (statusCode >= 500) span?.fail()
    span?.end()
    done()
  })
  return app
}

/** One span for each decision: from its submission to its commit, with the wait for its batch. */
function traceDecisions(gateway: Gateway, spans: Spans): Gateway {
  async function traced(
    { spend: { path } }: Pick<Submission, 'spend'>,
    decide: () => Promise<Decided>,
  ): Promise<Decided> {
    const span = spans.start({ name: 'decide', kind: 'internal', fields: { 'purser.path': path } })
    try {
      const decided = await decide()
      const { decision, code, id, isReplay } = decided
      span.set({
        'purser.decision': decision,
        'purser.code': code,
        'purser.transaction_id': toPublicId('txn', id),
        'purser.is_replay': isReplay,
      })
      return decided
    } catch (error) {
      span.fail()
      throw error
    } finally {
      span.end()
    }
  }
  return {
    ...gateway,
    decide: (submission) => traced(submission, () => gateway.decide(submission)),
    record: (submission) => traced(submission, () => gateway.record(submission)),
  }
}

interface OutboundTrace {
  readonly name: 'webhook' | 'vendor'
  /** Whether the receiver gets the header `traceparent`. */
  readonly isSent: boolean
}

/** One span for each call. It contains the host and no path, because paths may contain secrets. */
export function traceOutbound(
  outbound: OutboundClient,
  spans: Spans,
  { name, isSent }: OutboundTrace,
): OutboundClient {
  return {
    ...outbound,
    async call(request) {
      const { method, url, headers } = request
      const host = URL.canParse(url) ? new URL(url).host : ''
      const fields = { 'http.request.method': method, 'server.address': host }
      const span = spans.start({ name: `${name} ${method}`, kind: 'client', fields })
      try {
        const sent = isSent ? { ...headers, traceparent: span.traceparent() } : headers
        const result = await outbound.call({ ...request, headers: sent })
        if (result.kind === 'answer') span.set({ 'http.response.status_code': result.status })
        else span.set({ 'error.type': result.reason })
        if (result.kind === 'failure' || result.status >= 400) span.fail()
        return result
      } finally {
        span.end()
      }
    },
  }
}
