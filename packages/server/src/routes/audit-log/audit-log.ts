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
import { isUuid } from '../../core/id.ts'
import type { App } from '../../http/app.ts'
import type { WatchPrincipal } from '../../http/auth/credential-watch.ts'
import { EXAMPLE_AGENT_ID, exampleId } from '../../http/document/examples.ts'
import { nullable, open, timeWhen } from '../../http/document/schemas.ts'
import { createAtOnce } from '../../http/limits/at-once.ts'
import { whenOver } from '../../http/limits/when-over.ts'
import { NDJSON, wantsLines } from '../../http/ndjson.ts'
import { readTimes, timesOf } from '../../http/validation/query-times.ts'
import { readActorNames } from '../../storage/actor-names.ts'
import { findLeafRange } from '../../storage/audit/leaf-range.ts'
import { findHead } from '../../storage/audit/logs.ts'
import {
  type LeafFilter,
  listLatestLeaves,
  type StoredLeaf,
} from '../../storage/audit/read-leaves.ts'
import type { Database } from '../../storage/engine/database.ts'
import { readNames } from '../../storage/names.ts'
import { AUDIT_PAGE_EXAMPLE, EXPORT_EXAMPLE } from './examples.ts'
import { Kinds, readKinds } from './kinds.ts'
import { LeafHash, LeafIndex, logShorter } from './shape.ts'

const Entry = Type.Object(
  {
    index: LeafIndex,
    leaf: LeafHash,
    kind: open(Type.Enum([...LEAF_KINDS], { type: 'string' }), {
      description:
        'The kind of entry: an event kind, `change.` followed by the kind of change, or `log.begun`.',
    }),
    subject: Type.String({ description: 'The id of the object that the entry is about.' }),
    at: timeWhen('When it happened'),
    actorId: nullable(
      Type.String({
        description:
          'For a decision, the id of the agent. For a change, the key, member or operator that made it. Null for all other entries.',
      }),
    ),
    actorName: nullable(
      Type.String({
        description:
          'The current or last name of the agent, key or member that `actorId` names. Null if it has no name.',
      }),
    ),
    commitment: Type.String({ description: 'SHA-256 of the salt and the payload.' }),
    salt: nullable(
      Type.String({ description: 'The salt of the commitment. Null once the payload is removed.' }),
    ),
    payload: Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()], {
      description: 'The data that the leaf commits to. Null once retention has removed it.',
    }),
  },
  { title: 'AuditEntry' },
)

const PAGE_SIZE = 50

const FilterFields = {
  kind: Type.Optional(Kinds),
  subject: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 128,
      description: 'Only entries about the object with this id.',
      examples: [exampleId('txn')],
    }),
  ),
  actor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 128,
      description: 'Only entries by the actor with this id.',
      examples: [EXAMPLE_AGENT_ID],
    }),
  ),
  ...timesOf('entries'),
}

const Filter = Type.Object(FilterFields)
const OF_PAGES = ['kind', 'subject', 'actor', 'from', 'to', 'limit'] as const

const Query = Type.Object(
  {
    ...FilterFields,
    cursor: Type.Optional({
      ...LeafIndex,
      description:
        'The `nextCursor` of the previous page. For an export: the index of the first leaf to return.',
    }),
    // The schema has no default, so that an export can refuse a `limit` that was really sent.
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 200,
        description: `How many entries a page has. Default: ${PAGE_SIZE}.`,
        examples: [PAGE_SIZE],
      }),
    ),
  },
  { additionalProperties: false },
)

/** How many leaves a page may search, so that a rare kind does not search the whole log. */
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
        'Contains every decision, its outcome and every change. An entry appears about a second after it happened, when the audit log is signed. A page can have fewer entries than `limit`, or none, although more follow: continue with `nextCursor` until it is null. With `Accept: application/x-ndjson`, the response is a stream of all leaves from `cursor` on, in order, in the format that `purser verify` reads; filters and `limit` are not allowed then.',
      tags: ['Audit log'],
      querystring: Query,
      response: {
        200: {
          description: 'A page of entries, or a stream of all entries.',
          content: {
            'application/json': {
              example: AUDIT_PAGE_EXAMPLE,
              schema: Type.Object(
                {
                  log: Type.String({ description: 'The name of the audit log.' }),
                  size: Type.Integer({
                    description: 'The number of signed leaves in the audit log.',
                  }),
                  data: Type.Array(Entry, { description: 'The entries, newest first.' }),
                  hasMore: Type.Boolean({ description: 'Whether there is a next page.' }),
                  nextCursor: nullable(
                    Type.Integer({
                      description: 'Pass this value as `cursor` to get the next page.',
                    }),
                  ),
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
      // The connection is cut off, because a stream that ends normally looks complete.
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

/** An export that leaves entries out could not be verified. */
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
  const { cursor = size, limit = PAGE_SIZE, subject } = query
  const filter = toFilter(query, timezone)
  const range = await findLeafRange(db, organizationId, filter, size)
  const end = Math.min(cursor, range.end)
  // Entries about one subject have an index, so they are found however old they are.
  const searched = subject === undefined ? LOOKED_AT_MAX : end
  const begin = Math.max(range.begin, end - searched)
  const leaves = await listLatestLeaves(db, organizationId, filter, { begin, end, limit })
  const next = leaves.length === limit ? (leaves.at(-1)?.index ?? begin) : begin
  const [opened, nameOf] = await Promise.all([
    openLeaves(db, organizationId, leaves),
    readLeafActors(db, organizationId, leaves),
  ])
  return {
    log: logOf(organizationId),
    size,
    data: opened.map((line) => toEntry(line, nameOf)),
    hasMore: next > range.begin,
    nextCursor: next > range.begin ? next : null,
  }
}

function toFilter(query: Static<typeof Filter>, timezone: string): LeafFilter {
  const { kind, subject, actor } = query
  return { kinds: readKinds(kind), subject, actorId: actor, ...readTimes(query, timezone) }
}

/** For a decision the actor is an agent, for a change a key, a member or the operator. */
async function readLeafActors(
  db: Database,
  organizationId: string,
  leaves: readonly StoredLeaf[],
): Promise<(actorId: string | null) => string | null> {
  const actors = [...new Set(leaves.flatMap(({ actorId }) => actorId ?? []))]
  const [agents, others] = [actors.filter(isUuid), actors.filter((actor) => !isUuid(actor))]
  const [agentOf, nameOf] = await Promise.all([
    readNames(db, organizationId, { agents, mandates: [], vendors: [] }),
    readActorNames(db, organizationId, others),
  ])
  return (actor) => (actor !== null && isUuid(actor) ? agentOf('agent', actor) : nameOf(actor))
}

function toEntry(
  { index, hash, leaf, opening }: LeafLine,
  nameOf: (actorId: string | null) => string | null,
): Static<typeof Entry> {
  if (!leaf) throw new Error('A stored leaf names its subject.')
  const { kind, subject, at, actorId, commitment } = leaf
  return {
    ...{ index, leaf: toHex(hash), kind, subject, at, actorId, actorName: nameOf(actorId) },
    commitment,
    salt: opening ? toHex(opening.salt) : null,
    payload: opening ? Object(opening.payload) : null,
  }
}
