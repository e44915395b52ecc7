import { Readable } from 'node:stream'
import { type LeafLine, toHex } from '@purser/audit'
import type { FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { exportLog } from '../../audit/export-log.ts'
import { openLeaves } from '../../audit/open-leaves.ts'
import type { HeadParts } from '../../audit/read-head.ts'
import { refusedParameter } from '../../base/errors.ts'
import { logOf } from '../../core/audit/decision-leaf.ts'
import { LEAF_KINDS } from '../../core/audit/source.ts'
import type { App } from '../../http/app.ts'
import type { WatchPrincipal } from '../../http/auth/credential-watch.ts'
import { EXAMPLE_AGENT_ID, exampleId } from '../../http/document/examples.ts'
import { nullable, Timestamp } from '../../http/document/schemas.ts'
import { createAtOnce } from '../../http/limits/at-once.ts'
import { whenOver } from '../../http/limits/when-over.ts'
import { NDJSON, wantsLines } from '../../http/ndjson.ts'
import { readTimes, timesOf } from '../../http/validation/query-times.ts'
import { findHead } from '../../storage/audit/logs.ts'
import { type LeafFilter, listLatestLeaves } from '../../storage/audit/read-leaves.ts'
import type { Database } from '../../storage/engine/database.ts'
import { AUDIT_PAGE_EXAMPLE, EXPORT_EXAMPLE } from './examples.ts'
import { LeafHash, LeafIndex, logShorter } from './shape.ts'

const Entry = Type.Object(
  {
    index: LeafIndex,
    leaf: LeafHash,
    kind: Type.String({
      description:
        'What happened: the kind of an event, `change.` and what was changed, or `log.begun`.',
    }),
    subject: Type.String({ description: 'The id of what it happened to.' }),
    at: Timestamp,
    actorId: nullable(
      Type.String({
        description: 'The agent of a decision, or who made a change. Null where nobody did it.',
      }),
    ),
    commitment: Type.String({ description: 'SHA-256 of the salt and the payload.' }),
    salt: nullable(Type.String({ description: 'Null once the payload is removed.' })),
    payload: Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()], {
      description: 'What the leaf commits to. Null once it is removed.',
    }),
  },
  { title: 'AuditEntry' },
)

const PAGE_SIZE = 50

const FilterFields = {
  kind: Type.Optional(
    Type.Enum([...LEAF_KINDS], {
      type: 'string',
      description: 'This kind only.',
      examples: ['transaction.approved'],
    }),
  ),
  subject: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 128,
      description: 'About this id only.',
      examples: [exampleId('txn')],
    }),
  ),
  actor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 128,
      description: 'Done by this id only.',
      examples: [EXAMPLE_AGENT_ID],
    }),
  ),
  ...timesOf(''),
}

const Filter = Type.Object(FilterFields)
const OF_PAGES = ['kind', 'subject', 'actor', 'from', 'to', 'limit'] as const

const Query = Type.Object(
  {
    ...FilterFields,
    cursor: Type.Optional({
      ...LeafIndex,
      description:
        'nextCursor of the page before. For an export: the index of the leaf that it begins with.',
    }),
    // The default is not the schema's, so that an export can refuse what was really given.
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 200,
        description: `Size of the page, ${PAGE_SIZE} if none is given.`,
        examples: [PAGE_SIZE],
      }),
    ),
  },
  { additionalProperties: false },
)

/** How many leaves a page is looked for among, so that a rare kind does not search the whole log. */
const LOOKED_AT_MAX = 50_000
const EXPORTS_MAX = 2

interface AuditParts extends HeadParts {
  readonly watch: WatchPrincipal
}

export function auditLogRoutes(app: App, { db, logKeys, watch }: AuditParts): void {
  const atOnce = createAtOnce({ most: EXPORTS_MAX, of: 'exports' })
  app.route({
    method: 'GET',
    url: '/audit-log',
    schema: {
      operationId: 'listAuditLog',
      summary: 'Read the audit log, newest first, or export it for verification',
      description:
        'Every decision, what became of it, and every change, as far as it is signed; that takes about a second. A page may have fewer entries than asked for, or none, and go on all the same: follow `nextCursor`. With `Accept: application/x-ndjson` it is a stream of all leaves from `cursor` on in their order, without filters or `limit`, in the lines that `purser verify` reads.',
      tags: ['Audit log'],
      querystring: Query,
      response: {
        200: {
          description: 'A page of entries, or all of them as a stream.',
          content: {
            'application/json': {
              example: AUDIT_PAGE_EXAMPLE,
              schema: Type.Object(
                {
                  log: Type.String({ description: 'The name of the log.' }),
                  size: Type.Integer({ description: 'How many leaves are signed.' }),
                  data: Type.Array(Entry),
                  hasMore: Type.Boolean(),
                  nextCursor: nullable(Type.Integer()),
                },
                { title: 'AuditEntryList' },
              ),
            },
            [NDJSON]: { schema: Type.String(), example: EXPORT_EXAMPLE },
          },
        },
      },
    },
    config: { scope: 'audit:read', problems: ['log_shorter', 'overloaded'], mayStream: true },
    handler: async (request, reply) => {
      const { organizationId, query, headers } = request
      const head = await findHead(db, organizationId)
      const size = head?.size ?? 0
      const cursor = query.cursor ?? 0
      if (cursor > size) throw logShorter(cursor, size)
      if (!wantsLines(headers.accept)) return readPage(db, request, query, size)
      requireAll(query)
      if (!head) throw logShorter(1, 0)
      atOnce.hold(request, reply)
      // Cut off, because what ends in good order looks complete.
      whenOver(
        request,
        reply,
        watch(request.principal, () => reply.raw.destroy()),
      )
      const note = await logKeys.complete(organizationId, head.note)
      const lines = exportLog(db, organizationId, cursor, { size, note })
      return reply
        .header('content-type', `${NDJSON}; charset=utf-8`)
        .send(Readable.from(lines, { objectMode: false }) as never)
    },
  })
}

/** An export that leaves something out could not be verified. */
function requireAll(query: Static<typeof Query>): void {
  const name = OF_PAGES.find((parameter) => query[parameter] !== undefined)
  if (name === undefined) return
  const message = 'is not allowed for an export, which contains all leaves after cursor'
  throw refusedParameter(name, message)
}

async function readPage(
  db: Database,
  { organizationId, timezone }: Pick<FastifyRequest, 'organizationId' | 'timezone'>,
  query: Static<typeof Query>,
  size: number,
) {
  const { cursor: end = size, limit = PAGE_SIZE, subject } = query
  // What is about one subject is found by an index, however far back it is.
  const begin = subject === undefined ? Math.max(0, end - LOOKED_AT_MAX) : 0
  const range = { begin, end, limit }
  const leaves = await listLatestLeaves(db, organizationId, toFilter(query, timezone), range)
  const next = leaves.length === limit ? (leaves.at(-1)?.index ?? begin) : begin
  const opened = await openLeaves(db, organizationId, leaves)
  return {
    log: logOf(organizationId),
    size,
    data: opened.map(toEntry),
    hasMore: next > 0,
    nextCursor: next > 0 ? next : null,
  }
}

function toFilter(query: Static<typeof Filter>, timezone: string): LeafFilter {
  const { kind, subject, actor } = query
  return { kind, subject, actorId: actor, ...readTimes(query, timezone) }
}

function toEntry({ index, hash, leaf, opening }: LeafLine): Static<typeof Entry> {
  if (!leaf) throw new Error('A stored leaf says what it is about.')
  const { kind, subject, at, actorId, commitment } = leaf
  return {
    ...{ index, leaf: toHex(hash), kind, subject, at, actorId, commitment },
    salt: opening ? toHex(opening.salt) : null,
    payload: opening ? Object(opening.payload) : null,
  }
}
