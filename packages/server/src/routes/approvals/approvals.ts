import { type Static, Type } from 'typebox'
import type { AnswerWatch } from '../../approvals/answer-watch.ts'
import { approvalNotFound } from '../../approvals/decide-approvals.ts'
import { refusedParameter } from '../../base/errors.ts'
import { actsFor } from '../../core/api-key.ts'
import type { Approval as CoreApproval } from '../../core/approvals/approval.ts'
import { approvalStatusAt } from '../../core/approvals/permit.ts'
import { toVendor } from '../../core/vendor.ts'
import type { Gateway } from '../../gateway/gateway.ts'
import { toWaitMs } from '../../http/answer-time.ts'
import type { App } from '../../http/app.ts'
import type { WatchPrincipal } from '../../http/auth/credential-watch.ts'
import {
  AgentId,
  examplePage,
  fromPublicId,
  PagingFields,
  pageSchema,
  toPage,
  toPageRequest,
} from '../../http/document/schemas.ts'
import { readTimes, timesOf } from '../../http/validation/query-times.ts'
import { countWaiting, findApproval, listApprovals } from '../../storage/approvals/approvals.ts'
import { listSoonest } from '../../storage/approvals/soonest.ts'
import type { Database } from '../../storage/engine/database.ts'
import { readContexts } from './context.ts'
import { createLongPolls } from './long-polls.ts'
import { Approval, ApprovalId, ApprovalStatus, toApprovalShape } from './shape.ts'

const Query = Type.Object(
  {
    ...PagingFields,
    status: Type.Optional({ ...ApprovalStatus, description: 'Only requests with this status.' }),
    agentId: Type.Optional({ ...AgentId, description: 'Only requests of this agent.' }),
    vendor: Type.Optional(
      Type.String({
        format: 'vendor',
        description: 'Only entries with exactly this vendor host.',
        examples: ['api.openai.com'],
      }),
    ),
    ...timesOf('requests created'),
    sort: Type.Optional(
      Type.Enum(['expiresAt'], {
        type: 'string',
        description:
          '`expiresAt`: only pending requests, and the one that expires first comes first. Default: newest first.',
      }),
    ),
  },
  { additionalProperties: false },
)

/** Only an index of pending requests has this order. */
function isSorted({ sort, status }: Static<typeof Query>): boolean {
  if (sort === undefined || status === undefined || status === 'pending') return sort !== undefined
  throw refusedParameter('sort', `cannot be combined with status=${status}`)
}

const ApprovalPage = Type.Object(
  {
    ...pageSchema(Approval).properties,
    pending: Type.Integer({
      description: 'How many requests are pending, regardless of the filters.',
    }),
  },
  { title: 'ApprovalList', examples: [{ ...examplePage(Approval), pending: 1 }] },
)

interface ApprovalParts {
  readonly db: Database
  readonly gateway: Gateway
  readonly watch: WatchPrincipal
  readonly now: () => number
  readonly publicUrl: () => string | undefined
  readonly answerWatch: AnswerWatch
}

/** Readers are people, and agents for their own requests. */
const READERS = {
  scope: 'approvals:read',
  boundScope: 'gateway:read',
  agentKeys: 'allowed',
} as const

export function approvalRoutes(app: App, parts: ApprovalParts): void {
  const { db, gateway, now, publicUrl, answerWatch } = parts
  const longPolls = createLongPolls(parts)
  app.addHook('preClose', async () => answerWatch.stop())

  app.route({
    method: 'GET',
    url: '/approvals',
    schema: {
      operationId: 'listApprovals',
      summary: 'List approval requests, newest first',
      description:
        'With `status=pending`, this is the queue of open requests. An agent-bound key sees only the requests of its agents.',
      tags: ['Approvals'],
      querystring: Query,
      response: { 200: ApprovalPage },
    },
    config: READERS,
    handler: async (request): Promise<Static<typeof ApprovalPage>> => {
      const { organizationId, principal, query, timezone } = request
      const at = now()
      const { agentIds } = principal
      const { vendor, status, agentId } = query
      const filter = {
        status,
        agentId,
        vendor: vendor === undefined ? undefined : toVendor(vendor),
        ...readTimes(query, timezone),
        agentIds,
      }
      const [page, pending] = await Promise.all([
        (isSorted(query) ? listSoonest : listApprovals)(
          db,
          organizationId,
          filter,
          at,
          toPageRequest(query),
        ),
        countWaiting(db, organizationId, agentIds, at),
      ])
      const seen = { viewer: principal, publicUrl, now: at, isList: true }
      const contextOf = await readContexts(db, organizationId, page.rows, seen)
      const toShape = (approval: CoreApproval) =>
        toApprovalShape(approval, contextOf(approval), principal, at)
      return { ...toPage(page, toShape), pending }
    },
  })

  app.route({
    method: 'GET',
    url: '/approvals/:id',
    schema: {
      operationId: 'getApproval',
      summary: 'Get one approval request, or wait for its decision',
      description:
        'The response has everything that a person needs to decide. With `wait`, the response arrives when a person decides, when the request expires, or when the wait is over. A decision arrives within a second, whichever gateway process received it.',
      tags: ['Approvals'],
      params: Type.Object({ id: ApprovalId }),
      querystring: Type.Object(
        {
          wait: Type.Integer({
            minimum: 0,
            maximum: 60,
            default: 0,
            description:
              'How many seconds to wait for a decision. The response arrives after 50 seconds at the latest, before proxies time out. Call again while the request is pending.',
          }),
        },
        { additionalProperties: false },
      ),
      response: { 200: Approval },
    },
    config: { ...READERS, problems: ['approval_not_found', 'overloaded'] },
    handler: async (request, reply) => {
      const { organizationId, principal, params, query } = request
      const id = fromPublicId('apr', params.id)
      const find = async () => {
        const approval = await findApproval(db, organizationId, id)
        if (!approval || !actsFor(principal, approval.agentId)) throw approvalNotFound(id)
        return approval
      }
      let approval = await find()
      if (query.wait > 0 && approvalStatusAt(approval, now()) === 'pending') {
        await longPolls.wait(request, reply, approval, toWaitMs(query.wait))
        approval = await find()
      }
      await gateway.releaseOverdue(organizationId)
      const at = now()
      const seen = { viewer: principal, publicUrl, now: at }
      const contextOf = await readContexts(db, organizationId, [approval], seen)
      return toApprovalShape(approval, contextOf(approval), principal, at)
    },
  })
}
