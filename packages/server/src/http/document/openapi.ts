import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import type { FastifySchema, RouteOptions } from 'fastify'
import { Type } from 'typebox'
import { kindOf, type ProblemCode, type ProblemKind } from '../../base/errors.ts'
import { namesOfChanges, type Sensitive } from '../auth/reauthentication.ts'
import { COMMON_PROBLEMS, IDEMPOTENCY_PROBLEMS, SESSION_PROBLEMS } from '../problems.ts'
import { ANSWER_WORDS } from './answer-words.ts'
import { withComponents } from './components.ts'
import { mapOperations, type WrittenDocument } from './map-schemas.ts'
import { problemSchema, withAllCodes } from './problem-schemas.ts'
import { headersOf, withHeaders } from './response-headers.ts'
import { withWebhooks } from './webhooks.ts'

/** What the operations are grouped by, in the order in which a reader needs them. */
const TAGS: readonly { readonly name: string; readonly description: string }[] = [
  {
    name: 'Gateway',
    description: 'Judges a spend before money moves: directly, by x402 or by ACP. Mandate tokens.',
  },
  { name: 'Agents', description: 'Software that spends.' },
  { name: 'Mandates', description: 'What an agent may spend: budget, rules and their versions.' },
  {
    name: 'Transactions',
    description: 'The record of every spend, and what became of its money.',
  },
  { name: 'Approvals', description: 'Spends that wait for a person, and the answers to them.' },
  { name: 'Cards', description: 'Cards of issuers, the connections to them, and authorizations.' },
  { name: 'Wallets', description: 'Wallets that x402 payments are signed with.' },
  { name: 'Vendors', description: 'The directory of vendors that the organization knows.' },
  { name: 'API keys', description: 'Keys that call this API, and what each of them may do.' },
  { name: 'Organization', description: 'Settings, plan and usage of the organization.' },
  { name: 'Webhooks', description: 'The feed of events, and their delivery to your server.' },
  { name: 'Audit log', description: 'The signed log of decisions and changes, with its proofs.' },
  { name: 'Analytics', description: 'Sums and trends of spends.' },
]

const VERSION = '0.1.0'

export const openApiOptions: FastifyDynamicSwaggerOptions = {
  openapi: {
    openapi: '3.1.0',
    info: {
      title: 'Purser',
      version: VERSION,
      description:
        'The agent governance gateway: every spend of a software agent is judged against its mandate before money moves.',
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
            'Of a member who has signed in, for pages of this gateway. A key that is sent as well counts instead.',
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
  // The plugin would write a literal as a list of one value, which is no name for a kind of rule.
  convertConstToEnum: false,
}

/** What generated clients need and the routes do not say: names, lists of types, headers, webhooks. */
function finished(document: WrittenDocument): WrittenDocument {
  return withHeaders(withComponents(withAllCodes(withWebhooks(withOptionalDefaults(document)))))
}

/** Adds what all endpoints of a kind have in common: errors, header, statement of scope. */
function document(schema: FastifySchema | undefined, route: RouteOptions): FastifySchema {
  if (!schema || !route.config?.isApi) return schema ?? {}
  const isWrite = isWriting(route)
  const { scope, boundScope, agentKeys, sensitive, changesNothing } = route.config
  const about = [
    schema.description,
    scope && `Needs the scope \`${scope}\`.`,
    boundScope && `A key bound to agents needs only \`${boundScope}\`.`,
    agentKeys !== 'allowed' && 'Keys bound to agents may not call it.',
    sensitive &&
      `A member must have given the password within five minutes${changesOf(sensitive)}.`,
  ].filter(Boolean)
  return {
    ...schema,
    description: about.join(' '),
    ...(isWrite
      ? { headers: Type.Object({ 'Idempotency-Key': idempotencyKey(changesNothing) }) }
      : {}),
    response: { ...successOf(schema, route), ...errorAnswers(schema, route) },
  }
}

/**
 * Names the type of the answer, so that its examples stay in its schema. The plugin would take them
 * out there, and the same schema would look like another one where it is part of a list.
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
  return ` for ${new Intl.ListFormat('en', { type: 'disjunction' }).format(names)}`
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
    ? 'Taken, and without effect: nothing is changed, and each request is answered anew.'
    : 'Repeat a request with the same key and body and it is carried out once; the first answer is kept for 7 days.'
  return Type.Optional(Type.String({ minLength: 1, maxLength: 255, description }))
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

/** A query parameter with a default is not required. */
function withOptionalDefaults(document: WrittenDocument): WrittenDocument {
  return mapOperations(document, ({ parameters, ...operation }) => ({
    ...operation,
    ...(parameters && {
      parameters: parameters.map((one) =>
        one.in === 'query' && one.schema && 'default' in one.schema
          ? { ...one, required: false }
          : one,
      ),
    }),
  }))
}
