import type { RouteOptions } from 'fastify'
import { mapOperations, mapValues, type WrittenDocument } from './map-schemas.ts'

interface HeaderObject {
  readonly description: string
  /** Whether every response that declares the header has it. */
  readonly required: boolean
  readonly schema: Readonly<Record<string, unknown>>
}

/** The response headers, except those of HTTP itself such as Content-Length. */
export const RESPONSE_HEADERS: Readonly<Record<string, HeaderObject>> = {
  'X-Request-Id': {
    description: 'The request id. Quote it when you report a problem.',
    required: true,
    schema: { type: 'string', examples: ['req_Zx0Kq3b7TnY2000001'] },
  },
  'Cache-Control': {
    description: 'Always `no-store`: caches must not store responses.',
    required: true,
    schema: { type: 'string', const: 'no-store' },
  },
  'X-Content-Type-Options': {
    description: 'Always `nosniff`.',
    required: true,
    schema: { type: 'string', const: 'nosniff' },
  },
  'RateLimit-Limit': {
    description: "The key's limit of requests per minute. Absent if the plan has no limit.",
    required: false,
    schema: { type: 'integer', examples: [600] },
  },
  'RateLimit-Remaining': {
    description: 'How many requests the key can still send now. Absent if the plan has no limit.',
    required: false,
    schema: { type: 'integer', examples: [599] },
  },
  'RateLimit-Reset': {
    description:
      'Seconds until the full limit is available again. Absent if the plan has no limit.',
    required: false,
    schema: { type: 'integer', examples: [60] },
  },
  'Retry-After': {
    description:
      'Seconds to wait before the next attempt. Absent if the gateway cannot name a time.',
    required: false,
    schema: { type: 'integer', examples: [1] },
  },
  'WWW-Authenticate': {
    description: 'Always `Bearer`.',
    required: true,
    schema: { type: 'string', const: 'Bearer' },
  },
  'Idempotent-Replayed': {
    description:
      '`true` if this is the stored response to an earlier request with the same Idempotency-Key.',
    required: false,
    schema: { type: 'string', const: 'true' },
  },
  ETag: {
    description:
      'The state for the header If-Match of a change: `updatedAt` in quotation marks, or the `version` of a mandate that is not a draft.',
    required: false,
    schema: { type: 'string', examples: ['"3"'] },
  },
  'Content-Disposition': {
    description: 'Suggests a file name. Only set if the response is a file.',
    required: false,
    schema: { type: 'string' },
  },
  'X-Accel-Buffering': {
    description:
      'Always `no`. Only set if the response is a stream: it tells proxies to forward each line at once.',
    required: false,
    schema: { type: 'string', const: 'no' },
  },
}

const ALWAYS = ['X-Request-Id', 'Cache-Control', 'X-Content-Type-Options']
const OF_RATE = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']
/** Statuses of problems that a later retry can solve. */
const PASSING = [409, 429, 503]

/** Additional headers of single operations, in their 200 responses. */
const OWN: Readonly<Record<string, readonly string[]>> = {
  exportTransactions: ['Content-Disposition'],
  getSpendAnalytics: ['Content-Disposition'],
  getAgent: ['ETag'],
  getMandate: ['ETag'],
  getOrganization: ['ETag'],
  listEvents: ['X-Accel-Buffering'],
  backtestMandate: ['X-Accel-Buffering'],
}

/** The names of the headers that a response with this status can have. */
export function headersOf(route: RouteOptions, status: number): Record<string, object> {
  const { isUnlimited, changesNothing } = route.config ?? {}
  const keepsAnswers = (route.method === 'POST' || route.method === 'PATCH') && !changesNothing
  const names = [
    ...ALWAYS,
    ...(isUnlimited || status === 401 ? [] : OF_RATE),
    ...(PASSING.includes(status) ? ['Retry-After'] : []),
    ...(status === 401 ? ['WWW-Authenticate'] : []),
    ...(status < 300 && keepsAnswers ? ['Idempotent-Replayed'] : []),
    ...(status === 200 ? (OWN[route.schema?.operationId ?? ''] ?? []) : []),
  ]
  return Object.fromEntries(names.map((name) => [name, {}]))
}

/** Describes each header once as a component, and refers to the component at each use. */
export function withHeaders(document: WrittenDocument): WrittenDocument {
  const referring = mapOperations(document, (operation) => ({
    ...operation,
    responses: mapValues(operation.responses, ({ headers, ...answer }) => ({
      ...answer,
      ...(headers && {
        headers: mapValues(headers, (_, name) => ({ $ref: `#/components/headers/${name}` })),
      }),
    })),
  }))
  return { ...referring, components: { ...referring.components, headers: RESPONSE_HEADERS } }
}
