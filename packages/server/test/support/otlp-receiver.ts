import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A span as the exporter sends it in JSON (OTLP 1). */
export interface ReceivedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | undefined
  readonly name: string
  readonly kind: number
  readonly service: string
  readonly fields: Readonly<Record<string, unknown>>
}

interface Attribute {
  readonly key: string
  readonly value: Readonly<Record<string, unknown>>
}

interface ExportRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] }
    readonly scopeSpans: readonly {
      readonly spans: readonly (Omit<ReceivedSpan, 'fields' | 'service'> & {
        readonly attributes: readonly Attribute[]
      })[]
    }[]
  }[]
}

/** A receiver that speaks OTLP over HTTP with JSON, as a collector does. */
export async function startOtlpReceiver() {
  const spans: ReceivedSpan[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (part: string) => {
      body += part
    })
    request.on('end', () => {
      const isTraces = request.method === 'POST' && request.url === '/v1/traces'
      const isJson = request.headers['content-type'] === 'application/json'
      if (!isTraces || !isJson) return void response.writeHead(isTraces ? 415 : 404).end()
      spans.push(...readSpans(JSON.parse(body)))
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"partialSuccess":{}}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function readSpans({ resourceSpans }: ExportRequest): ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map(({ attributes, ...span }) => ({
        ...span,
        service: String(fieldsOf(resource.attributes)['service.name']),
        fields: fieldsOf(attributes),
      })),
    ),
  )
}

function fieldsOf(attributes: readonly Attribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
}
