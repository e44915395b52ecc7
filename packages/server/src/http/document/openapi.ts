import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import type { FastifySchema, RouteOptions } from 'fastify'
import { Type } from 'typebox'
import { kindOf, type ProblemCode, type ProblemKind } from '../../base/errors.ts'
import { VERSION } from '../../base/version.ts'
import { namesOfChanges, type Sensitive } from '../auth/reauthentication.ts'
import { COMMON_PROBLEMS, IDEMPOTENCY_PROBLEMS, SESSION_PROBLEMS } from '../problems.ts'
import { ANSWER_WORDS } from './answer-words.ts'
import { withComponents } from './components.ts'
import {
  mapOperations,
  type RequestBody,
  type SchemaNode,
  type WrittenDocument,
} from './map-schemas.ts'
import { withObjectNames } from './object-names.ts'
import { problemSchema, withAllCodes } from './problem-schemas.ts'
import { headersOf, withHeaders } from './response-headers.ts'
import { withVariants } from './variants.ts'
import { withWebhooks } from './webhooks.ts'

/** The groups of the operations, in the order in which a reader needs them. */
const TAGS: readonly { readonly name: string; readonly description: string }[] = [
  {
    name: 'Gateway',
    description:
      'Decide on a spend before money moves: direct requests, x402 payments, card authorizations and ACP checkouts. Issue and check mandate tokens.',
  },
  { name: 'Agents', description: 'The software agents that spend money.' },
  {
    name: 'Mandates',
    description:
      'A mandate sets how much an agent may spend and by which rules. Every change of an active mandate creates a new version.',
  },
  {
    name: 'Transactions',
    description:
      'The record of every spend and its current state: held, settled, voided, expired or refunded.',
  },
  {
    name: 'Approvals',
    description: "Spends that need a person's approval, and the decisions on them.",
  },
  {
    name: 'Cards',
    description:
      'Cards that issuers have created for your agents, the connections to those issuers, and card authorizations.',
  },
  { name: 'Wallets', description: 'The wallets that sign x402 payments.' },
  { name: 'Vendors', description: "The organization's vendor directory." },
  { name: 'API keys', description: 'The keys that call this API, and their scopes.' },
  { name: 'Organization', description: "The organization's settings, plan and usage." },
  { name: 'Webhooks', description: 'The event feed, and the delivery of events to your server.' },
  {
    name: 'Audit log',
    description:
      'The signed, append-only log of decisions and changes, with proofs that you can verify offline.',
  },
  { name: 'Analytics', description: 'Spending totals, trends, exposure and forecasts.' },
]

export const openApiOptions: FastifyDynamicSwaggerOptions = {
  openapi: {
    openapi: '3.1.0',
    info: {
      title: 'Purser',
      version: VERSION,
      description:
        "Purser is an agent governance gateway. It checks every spend of a software agent against the agent's mandate before money moves.",
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: [...TAGS],
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', bearerFormat: 'psr_…' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-purser_session',
          description:
            'The session cookie of a signed-in member, for the pages that this gateway serves. If a request also carries an API key, the gateway uses the key.',
        },
      },
    },
    security: [{ apiKey: [] }, { session: [] }],
  },
  transform: ({ schema, url, route }) => ({ schema: document(schema, route), url }),
  transformObject: (documents) => {
    if (!('openapiObject' in documents)) throw new Error('The document must be OpenAPI 3.')
    // The plugin's type knows only some of the shapes that its document has.
    return finished(documents.openapiObject as WrittenDocument)
  },
  // The plugin would write a literal as a list of one value, and a discriminator needs a constant.
  convertConstToEnum: false,
}

/**
 * Adds everything that generated clients need and routes do not state: names, lists of types, headers,
 * webhooks.
 */
function finished(document: WrittenDocument): WrittenDocument {
  return withHeaders(
    withComponents(withAllCodes(withShapes(withWebhooks(withOptionalInputs(document))))),
  )
}

function withShapes(document: WrittenDocument): WrittenDocument {
  return withVariants(withObjectNames(document))
}

/**
 * Adds the common parts of an endpoint: errors, the idempotency header, and the scope that it needs.
 */
function document(schema: FastifySchema | undefined, route: RouteOptions): FastifySchema {
  if (!schema || !route.config?.isApi) return schema ?? {}
  const isWrite = isWriting(route)
  const { scope, boundScope, agentKeys, sensitive, changesNothing, ifMatch } = route.config
  const about = [
    schema.description,
    scope && `Needs the scope \`${scope}\`.`,
    boundScope && `An agent-bound key needs only \`${boundScope}\`.`,
    agentKeys !== 'allowed' && 'Agent-bound keys cannot call it.',
    sensitive &&
      `A member must have entered the password within the last five minutes${changesOf(sensitive)}.`,
  ].filter(Boolean)
  return {
    ...schema,
    description: about.join(' '),
    ...(isWrite
      ? {
          headers: Type.Object({
            'Idempotency-Key': idempotencyKey(changesNothing),
            ...(ifMatch && { 'If-Match': ifMatchHeader(ifMatch) }),
          }),
        }
      : {}),
    response: { ...successOf(schema, route), ...errorAnswers(schema, route) },
  }
}

/**
 * Puts the response schema under a content type, so that its examples stay in it. Otherwise the plugin
 * would move the examples out, and the schema would differ from the same schema in a list.
 */
function successOf(schema: FastifySchema, route: RouteOptions): object {
  const { response, operationId = '', summary } = schema
  const answers: [string, object & { description?: string }][] = Object.entries(response ?? {})
  return Object.fromEntries(
    answers.map(([status, answer]) => {
      const headers = headersOf(route, Number(status))
      const description = answer.description ?? ANSWER_WORDS[operationId] ?? summary
      const content = { 'application/json': { schema: answer } }
      return [status, { ...('content' in answer ? answer : { content }), description, headers }]
    }),
  )
}

function isWriting({ method }: RouteOptions): boolean {
  return method === 'POST' || method === 'PATCH'
}

function problemsOf(route: RouteOptions): (ProblemCode | ProblemKind)[] {
  const { sensitive, problems = [] } = route.config ?? {}
  if (route.method === 'GET') {
    return [...COMMON_PROBLEMS.filter((code) => !BODY_PROBLEMS.includes(code)), ...problems]
  }
  const withSession = sensitive ? SESSION_PROBLEMS : SESSION_PROBLEMS.slice(0, 1)
  const ofWrites = isWriting(route) ? IDEMPOTENCY_PROBLEMS : []
  return [...COMMON_PROBLEMS, ...ofWrites, ...withSession, ...problems]
}

function changesOf(sensitive: Sensitive): string {
  const names = namesOfChanges(sensitive)
  if (names.length === 0) return ''
  return ` if the body has ${new Intl.ListFormat('en', { type: 'disjunction' }).format(names)}`
}

const BODY_PROBLEMS: readonly ProblemCode[] = [
  'malformed_json',
  'body_too_large',
  'pan_not_allowed',
  'unreadable_name',
  'unsupported_media_type',
]

function idempotencyKey(changesNothing = false) {
  const description = changesNothing
    ? 'Accepted but ignored: this operation changes nothing, so every request is evaluated again.'
    : 'Makes retries safe. A request that is repeated with the same key and body runs only once and gets the first response. The gateway keeps that response for 7 days.'
  return Type.Optional(Type.String({ minLength: 1, maxLength: 255, description }))
}

function ifMatchHeader(field: 'version' | 'updatedAt') {
  const named = field === 'version' ? '`version` (for a draft `updatedAt`)' : '`updatedAt`'
  const description = `The ETag of the GET response that your change is based on: the ${named} in quotation marks. If the state is different now, the response is 409 \`changed_meanwhile\`, and nothing is changed.`
  return Type.Optional(Type.String({ maxLength: 255, description }))
}

function errorAnswers(
  { operationId = '' }: FastifySchema,
  route: RouteOptions,
): Record<string, object> {
  const kinds = [...new Set(problemsOf(route).map(kindOf))]
  const codes = kinds.map(({ code }) => code)
  const content = { 'application/problem+json': { schema: problemSchema(operationId, codes) } }
  const byStatus = new Map<number, string[]>()
  for (const { code, status, title } of kinds) {
    byStatus.set(status, [...(byStatus.get(status) ?? []), `\`${code}\`: ${title}.`])
  }
  return Object.fromEntries(
    [...byStatus].map(([status, lines]) => [
      status,
      { description: lines.join(' '), content, headers: headersOf(route, status) },
    ]),
  )
}

/** A query parameter with a default is not required, nor is a body that may be null. */
function withOptionalInputs(document: WrittenDocument): WrittenDocument {
  return mapOperations(document, ({ parameters, requestBody, ...operation }) => ({
    ...operation,
    ...(requestBody && { requestBody: optionalBody(requestBody) }),
    ...(parameters && {
      parameters: parameters.map((one) =>
        one.in === 'query' && one.schema && 'default' in one.schema
          ? { ...one, required: false }
          : one,
      ),
    }),
  }))
}

function optionalBody(body: RequestBody): RequestBody {
  const { 'application/json': json, ...others } = body.content ?? {}
  const { anyOf, ...around } = json?.schema ?? {}
  if (!Array.isArray(anyOf)) return body
  const [schema, ...further] = anyOf.filter((one: SchemaNode) => one['type'] !== 'null')
  if (further.length > 0 || anyOf.length === 1) return body
  const content = { 'application/json': { ...json, schema: { ...schema, ...around } }, ...others }
  return { ...body, required: false, content }
}
