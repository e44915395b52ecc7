import { isDeepStrictEqual } from 'node:util'
import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import type { FastifySchema, RouteOptions } from 'fastify'
import { Type } from 'typebox'
import { kindOf, type ProblemCode, type ProblemKind } from '../errors.ts'
import { COMMON_PROBLEMS, IDEMPOTENCY_PROBLEMS, SESSION_PROBLEMS } from './problems.ts'
import { namesOfChanges, type Sensitive } from './reauthentication.ts'

const VERSION = '0.1.0'

const ProblemDocument = Type.Object(
  {
    type: Type.String({ examples: ['urn:purser:problem:mandate_conflict'] }),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String({ description: 'What happened and what to do, in one sentence.' }),
    instance: Type.String(),
    code: Type.String({ description: 'Stable; decide by this.', examples: ['mandate_conflict'] }),
    requestId: Type.String(),
    errors: Type.Array(
      Type.Object({
        path: Type.String({ description: 'JSON pointer to the field.' }),
        code: Type.String(),
        message: Type.String(),
      }),
    ),
  },
  { title: 'Problem', additionalProperties: true, description: 'RFC 9457 problem document.' },
)

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
    return withComponents(documents.openapiObject)
  },
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
    response: { ...successOf(schema), ...errorAnswers(problemsOf(route)) },
  }
}

/**
 * Names the type of the answer, so that its examples stay in its schema. The plugin would take them
 * out there, and the same schema would look like another one where it is part of a list.
 */
function successOf({ response }: FastifySchema): object {
  const answers: [string, object & { description?: string }][] = Object.entries(response ?? {})
  return Object.fromEntries(
    answers.map(([status, answer]) => {
      const { description = 'Default Response' } = answer
      const content = { 'application/json': { schema: answer } }
      return [status, 'content' in answer ? answer : { description, content }]
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

function errorAnswers(problems: readonly (ProblemCode | ProblemKind)[]): Record<string, object> {
  const byStatus = new Map<number, string[]>()
  for (const { code, status, title } of new Set(problems.map(kindOf))) {
    byStatus.set(status, [...(byStatus.get(status) ?? []), `\`${code}\`: ${title}.`])
  }
  return Object.fromEntries(
    [...byStatus].map(([status, lines]) => [
      status,
      {
        description: lines.join(' '),
        content: { 'application/problem+json': { schema: ProblemDocument } },
      },
    ]),
  )
}

/** Turns every schema with a title into a named component, wherever it appears. */
function withComponents<Document extends object>(document: Document): Document {
  const schemas: Record<string, unknown> = {}

  function visit(node: unknown): unknown {
    if (Array.isArray(node)) return node.map(visit)
    if (typeof node !== 'object' || node === null) return node
    const copy = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, visit(value)]))
    if (copy['in'] === 'query') return withoutRequired(copy)
    return isSchema(copy) ? named(copy) : copy
  }

  function named(schema: Record<string, unknown>): object {
    const { title } = schema
    if (typeof title !== 'string') return schema
    if (title in schemas && !isDeepStrictEqual(schemas[title], schema)) {
      throw new Error(`Two different schemas are called ${title}.`)
    }
    schemas[title] = schema
    return { $ref: `#/components/schemas/${title}` }
  }

  const visited = visit(document) as Document & { components?: object }
  return { ...visited, components: { ...visited.components, schemas } }
}

function isSchema(node: object): boolean {
  return 'properties' in node || 'oneOf' in node || 'anyOf' in node || 'enum' in node
}

/** A query parameter with a default is not required. */
function withoutRequired(parameter: Record<string, unknown>): Record<string, unknown> {
  const { schema } = parameter
  const hasDefault = typeof schema === 'object' && schema !== null && 'default' in schema
  return hasDefault ? { ...parameter, required: false } : parameter
}
