import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { type HeadParts, readHead } from '../../audit/read-head.ts'
import { Problem, refusedParameter } from '../../base/errors.ts'
import { actsFor } from '../../core/api-key.ts'
import { toUuid } from '../../core/id.ts'
import type { App } from '../../http/app.ts'
import type { WatchPrincipal } from '../../http/auth/credential-watch.ts'
import { exampleId } from '../../http/document/examples.ts'
import {
  fromPublicId,
  PagingFields,
  pageSchema,
  toPage,
  toPageRequest,
} from '../../http/document/schemas.ts'
import { createAtOnce } from '../../http/limits/at-once.ts'
import { whenOver } from '../../http/limits/when-over.ts'
import { NDJSON, wantsLines } from '../../http/ndjson.ts'
import { readRequesters } from '../../storage/actor-names.ts'
import type { SignedHead } from '../../storage/audit/logs.ts'
import type { Database } from '../../storage/engine/database.ts'
import { listTransactions } from '../../storage/list-transactions.ts'
import { findAgentOf, findShownTransaction } from '../../storage/transactions.ts'
import { PROVEN_EXPORT_EXAMPLE } from '../audit-log/examples.ts'
import { logShorter } from '../audit-log/shape.ts'
import { CSV_EXAMPLE } from './examples.ts'
import { exportProven, exportTransactions } from './export.ts'
import { FilterFields, toFilter } from './filter.ts'
import {
  ListedTransaction,
  Transaction,
  TransactionId,
  toShownShape,
  toSummaryShape,
} from './shape.ts'

const View = Type.Enum(['full', 'summary'], {
  type: 'string',
  default: 'full',
  description:
    '`full` (default): the whole transactions. `summary`: without `evaluationDetails`, which is most of the data.',
})

interface TransactionParts extends HeadParts {
  readonly watch: WatchPrincipal
  readonly now: () => number
}

/** The limit of concurrent exports: an export reads all pages as fast as the receiver takes them. */
export const EXPORTS_MAX = 4

export function transactionRoutes(app: App, { db, logKeys, watch, now }: TransactionParts): void {
  const atOnce = createAtOnce({ most: EXPORTS_MAX, of: 'exports' })
  app.route({
    method: 'GET',
    url: '/transactions',
    schema: {
      operationId: 'listTransactions',
      summary: 'List transactions, newest first',
      description:
        "`total` counts up to 10,000. To read further, use `nextCursor`. Filters by agent, mandate and time have an index, and so have open holds. With any other filter, one page searches the next 20,000 transactions, of the time range, agents or mandates if you name them. It can therefore have fewer entries than `limit`, or none, and still a `nextCursor`: continue until it is null. `total` then counts only the first page's search, and `totalIsExact` is false. An agent-bound key sees only the transactions of its agents.",
      tags: ['Transactions'],
      querystring: Type.Object(
        { ...PagingFields, ...FilterFields, view: View },
        { additionalProperties: false },
      ),
      response: { 200: pageSchema(ListedTransaction, 'TransactionList') },
    },
    config: { scope: 'transactions:read', agentKeys: 'allowed' },
    handler: async (request) => {
      const { organizationId, principal, query } = request
      const at = now()
      const filter = toFilter(request, query)
      const wanted = toPageRequest(query)
      const isWhole = query.view === 'full'
      // For an agent-bound key, the visible remaining budget comes from the details.
      const hasDetails = isWhole || principal.agentIds !== null
      const page = await listTransactions(db, organizationId, filter, at, wanted, { hasDetails })
      const requesterOf = await readRequesters(db, organizationId, page.rows)
      const toShape = isWhole ? toShownShape : toSummaryShape
      return toPage(page, (row) => toShape(row, at, principal, requesterOf(row)))
    },
  })

  app.route({
    method: 'GET',
    url: '/transactions/export',
    schema: {
      operationId: 'exportTransactions',
      summary: 'Stream transactions as CSV or NDJSON, newest first',
      description:
        "Takes the same filters as the list and has no limit. The export stops if the key is revoked or expires. To resume any export, send the `transactionId` of the last complete row as `cursor`: every format is ordered by id. With `Accept: application/x-ndjson` and no `format`, the export has the audit log's leaves of these decisions, each with its proof, in the format that `purser verify` reads. Agent-bound keys cannot get the leaves.",
      tags: ['Transactions'],
      querystring: Type.Object(
        {
          ...FilterFields,
          format: Type.Optional(
            Type.Enum(['csv', 'ndjson'], {
              type: 'string',
              description: 'The format of the export. Default: `csv`.',
            }),
          ),
          cursor: Type.Optional(
            Type.String({
              minLength: 1,
              maxLength: 64,
              description:
                'Continue after this `transactionId`: that of the last complete row that you received. This is not the `nextCursor` of the list.',
              examples: [exampleId('txn')],
            }),
          ),
        },
        { additionalProperties: false },
      ),
      produces: ['text/csv', 'application/x-ndjson'],
      response: {
        200: {
          description: 'One row (CSV) or line (NDJSON) per transaction.',
          content: {
            'text/csv': { schema: Type.String(), example: CSV_EXAMPLE },
            [NDJSON]: { schema: Type.String(), example: PROVEN_EXPORT_EXAMPLE },
          },
        },
      },
    },
    config: {
      scope: 'transactions:read',
      agentKeys: 'allowed',
      problems: ['log_shorter', 'agent_bound_key'],
    },
    handler: async (request, reply) => {
      const { organizationId, principal, query, headers } = request
      const isProven = query.format === undefined && wantsLines(headers.accept)
      const after = await readCursor(db, request, query.cursor)
      const head = isProven ? await findProofHead({ db, logKeys }, request) : undefined
      atOnce.hold(request, reply)
      // The connection is cut off, because a stream that ends normally looks complete.
      whenOver(
        request,
        reply,
        watch(principal, () => reply.raw.destroy()),
      )
      const wanted = {
        organizationId,
        filter: toFilter(request, query),
        format: query.format ?? 'csv',
        viewer: principal,
        at: now(),
        after,
      }
      if (head) {
        const lines = exportProven(db, wanted, head)
        return reply.header('content-type', `${NDJSON}; charset=utf-8`).send(lines as never)
      }
      const { type, name, stream } = exportTransactions(db, wanted)
      return reply
        .header('content-type', type)
        .header('content-disposition', `attachment; filename="${name}"`)
        .send(stream as never)
    },
  })

  app.route({
    method: 'GET',
    url: '/transactions/:id',
    schema: {
      operationId: 'getTransaction',
      summary: 'Get one transaction with its evaluation details',
      tags: ['Transactions'],
      params: Type.Object({ id: TransactionId }),
      response: { 200: Transaction },
    },
    config: {
      scope: 'transactions:read',
      agentKeys: 'allowed',
      problems: ['transaction_not_found'],
    },
    handler: async ({ organizationId, principal, params }) => {
      const id = fromPublicId('txn', params.id)
      const transaction = await findShownTransaction(db, organizationId, id)
      if (!transaction || !actsFor(principal, transaction.agentId))
        throw transactionNotFound(params.id)
      const requesterOf = await readRequesters(db, organizationId, [transaction])
      return toShownShape(transaction, now(), principal, requesterOf(transaction))
    },
  })
}

/**
 * The transaction after which an export continues. Every id has a position in the order, so a mistyped
 * one would silently skip or repeat rows. So it must be an id that the key can see.
 */
async function readCursor(
  db: Database,
  { organizationId, principal }: Pick<FastifyRequest, 'organizationId' | 'principal'>,
  cursor: string | undefined,
): Promise<string | undefined> {
  if (cursor === undefined) return undefined
  const id = toUuid('txn', cursor)
  const agentId = id && (await findAgentOf(db, organizationId, id))
  if (agentId && actsFor(principal, agentId)) return id
  throw refusedParameter(
    'cursor',
    'must be the transactionId (txn_…) of the last complete row that you received, not the nextCursor of a list; no such transaction exists',
  )
}

/** A leaf contains the whole decision, and an agent may see only a part of it. */
async function findProofHead(
  parts: HeadParts,
  { organizationId, principal }: Pick<FastifyRequest, 'organizationId' | 'principal'>,
): Promise<SignedHead> {
  if (principal.agentIds !== null) {
    throw new Problem(
      'agent_bound_key',
      'A key that is bound to agents cannot export proofs. Use a key that is not bound to agents, or send a format.',
    )
  }
  const head = await readHead(parts, organizationId)
  if (!head) throw logShorter(1, 0)
  return head
}

export function transactionNotFound(id: string): Problem {
  return new Problem(
    'transaction_not_found',
    `Transaction ${id} does not exist in this organization.`,
  )
}
