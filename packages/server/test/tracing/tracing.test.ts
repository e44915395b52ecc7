import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import type { OutboundClient, OutboundRequest } from '../../src/outbound/outbound-client.ts'
import { readConfig } from '../../src/process/config.ts'
import { METERING_OFF } from '../../src/process/observation/metering.ts'
import { observe, traceOutbound } from '../../src/process/observation/observe.ts'
import { openTracing } from '../../src/tracing/open-tracing.ts'
import { readTraceParent, type Spans, toTraceParent } from '../../src/tracing/spans.ts'
import { startOtlpReceiver } from '../support/otlp-receiver.ts'
import { silentLog } from '../support/silent-log.ts'

const HEADER = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

describe('the header traceparent', () => {
  test('is read and written', () => {
    const parent = readTraceParent(HEADER)
    expect(parent).toEqual({
      traceId: '0af7651916cd43dd8448eb211c80319c',
      spanId: 'b7ad6b7169203331',
      traceFlags: 1,
    })
    expect(parent && toTraceParent(parent)).toBe(HEADER)
    expect(readTraceParent(`01${HEADER.slice(2)}-more`)).toEqual(parent)
  })

  test.each([
    undefined,
    [HEADER, HEADER],
    '',
    `${HEADER}-more`,
    `ff${HEADER.slice(2)}`,
    HEADER.toUpperCase(),
    HEADER.replace(/-0af\w+/, `-${'0'.repeat(32)}`),
    HEADER.replace(/-b7a\w+/, `-${'0'.repeat(16)}`),
  ])('%j is ignored', (header) => {
    expect(readTraceParent(header)).toBeUndefined()
  })
})

test('vendors get traceparent only if that is switched on', async () => {
  const sent: OutboundRequest[] = []
  const outbound: OutboundClient = {
    refusalOf: async () => undefined,
    close: async () => {},
    call: async (request) => {
      sent.push(request)
      const answer = { status: 200, headers: {}, body: Buffer.of(), remoteAddress: '192.0.2.1' }
      return { kind: 'answer', cut: null, ...answer }
    },
  }
  const span = { set() {}, fail() {}, end() {}, traceparent: () => HEADER }
  const spans: Spans = {
    start: () => ({ ...span, run: (inside) => inside() }),
    stop: async () => {},
  }
  const request = { method: 'GET', url: 'https://shop.example/x', headers: { a: 'b' } } as const
  for (const isSent of [false, true]) {
    const client = traceOutbound(outbound, spans, { name: 'vendor', isSent })
    await client.call({ ...request, timeoutMs: 1_000, answerBytesMax: 1 })
  }
  expect(sent.map(({ headers }) => headers)).toEqual([{ a: 'b' }, { a: 'b', traceparent: HEADER }])
})

test.each([false, true])(
  'the setting for vendors is %s, and receivers always get it',
  async (on) => {
    const sent: OutboundRequest[] = []
    const outbound: OutboundClient = {
      refusalOf: async () => undefined,
      close: async () => {},
      call: async (request) => {
        sent.push(request)
        return { kind: 'failure', reason: 'timeout', message: 'x', remoteAddress: null }
      },
    }
    const collector = await startOtlpReceiver()
    const tracing = { endpoint: collector.url, serviceName: 'purser', tellsVendors: on }
    const observed = await observe(METERING_OFF, { tracing }, silentLog)
    const request = { method: 'GET', url: 'https://shop.example/x', headers: {} } as const
    for (const client of [observed.toVendors(outbound), observed.toReceivers(outbound)]) {
      await client.call({ ...request, timeoutMs: 1_000, answerBytesMax: 1 })
    }
    expect(sent.map(({ headers }) => 'traceparent' in headers)).toEqual([on, true])
    await observed.stop()
  },
)

describe('a gateway whose optional packages are missing', () => {
  test('runs without traces, and the log names the packages', async () => {
    const lines: string[] = []
    const log = pino({}, { write: (line: string) => void lines.push(line) })
    const settings = { endpoint: 'http://127.0.0.1:1', serviceName: 'purser', tellsVendors: false }
    const missing = () => Promise.reject(new Error("Cannot find package '@opentelemetry/api'"))
    expect(await openTracing(settings, log, missing)).toBeUndefined()
    expect(lines.join('')).toMatch(
      /tracing\.unavailable.*npm install @opentelemetry\/api@1\.9 .*sdk-trace-node@2\.12/,
    )
  })
})

describe('the settings', () => {
  test('without an endpoint there are no traces', () => {
    expect(readConfig({ PURSER_TRACE_VENDORS: 'true' }).tracing).toBeUndefined()
  })

  test('an endpoint turns traces on, and vendors are told nothing', () => {
    const endpoint = 'http://127.0.0.1:4318'
    expect(readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }).tracing).toEqual({
      endpoint,
      serviceName: 'purser',
      tellsVendors: false,
    })
  })

  test('an endpoint that is no address is refused', () => {
    expect(() => readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector' })).toThrow(
      /OTEL_EXPORTER_OTLP_ENDPOINT must be an address/,
    )
  })
})
