import { type Static, Type } from 'typebox'
import type { AnswerWatch } from '../../approvals/answer-watch.ts'
import { decideApprovals, type Outcome } from '../../approvals/decide-approvals.ts'
import { type FieldError, invalidFields } from '../../base/errors.ts'
import { toPublicId } from '../../core/id.ts'
import { toMicros } from '../../core/money.ts'
import type { Principal } from '../../core/principal.ts'
import type { App } from '../../http/app.ts'
import { missingReauthentication } from '../../http/auth/reauthentication.ts'
import { fromPublicId, Money } from '../../http/document/schemas.ts'
import type { FeedSignal } from '../../http/feed-signal.ts'
import type { Write } from '../../http/idempotency.ts'
import type { RecordChange } from '../../http/record-change.ts'
import { stopsWhere } from '../../http/stops.ts'
import type { DatabaseClock } from '../../storage/engine/clock.ts'
import type { Tx } from '../../storage/engine/database.ts'
import { readContexts } from './context.ts'
import { DECIDED_APPROVAL_EXAMPLE } from './examples.ts'
import { Approval, ApprovalId, ApprovalStatus, toApprovalShape } from './shape.ts'

const ALSO_MAX = 50

const DecisionInput = Type.Object(
  {
    decision: Type.Enum(['approve', 'reject'], { type: 'string' }),
    comment: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1_000,
        description: 'The reason for the decision. It is stored, and the agent can read it.',
      }),
    ),
    maxAmount: Type.Optional({
      ...Money,
      description:
        'The highest amount to approve, in units of the currency. Default: the requested amount.',
    }),
    alsoIds: Type.Optional(
      Type.Array(ApprovalId, {
        maxItems: ALSO_MAX,
        uniqueItems: true,
        description:
          'Further requests to decide in the same way, at most 50. Each one succeeds or fails on its own.',
      }),
    ),
  },
  {
    additionalProperties: false,
    title: 'ApprovalDecisionInput',
    examples: [{ decision: 'approve', comment: 'The yearly licence; agreed with finance.' }],
  },
)

const Also = Type.Object(
  {
    id: ApprovalId,
    decided: Type.Boolean({ description: 'Whether the request was decided.' }),
    status: Type.Union([ApprovalStatus, Type.Null()], {
      description: 'The status of the request now. Null if it was not decided.',
    }),
    code: Type.Union([Type.String(), Type.Null()], {
      description: 'The problem code if the request could not be decided. Null if it was decided.',
    }),
    message: Type.Union([Type.String(), Type.Null()], {
      description: 'Why the request could not be decided. Null if it was decided.',
    }),
  },
  { title: 'AlsoDecided' },
)

const Decided = Type.Object(
  {
    ...Approval.properties,
    also: Type.Array(Also, { description: 'The result for each of `alsoIds`.' }),
  },
  { title: 'DecidedApproval', examples: [DECIDED_APPROVAL_EXAMPLE] },
)

interface DecisionParts {
  readonly write: Write
  readonly clock: DatabaseClock
  readonly now: () => number
  readonly publicUrl: () => string | undefined
  readonly answerWatch: AnswerWatch
  readonly feed: FeedSignal
  readonly wakeDispatcher: () => void
  /** Called with the time that a decided request has waited. Absent unless metrics are on. */
  readonly onApproval?: ((waitedMs: number) => void) | undefined
}

/** `POST /approvals/:id/decision`: the decision of a person, or of a key that acts for one. */
export function approvalDecisionRoutes(app: App, parts: DecisionParts): void {
  const { write, clock, now, publicUrl, answerWatch, feed, wakeDispatcher, onApproval } = parts
  app.route({
    method: 'POST',
    url: '/approvals/:id/decision',
    schema: {
      operationId: 'decideApproval',
      summary: 'Approve or reject an approval request',
      description:
        'An approval lets one spend pass: at most the approved amount, at the same vendor, in the same category and by the same payment path. It lifts only the rules that required it. The budget, limits and all other rules apply when the approval is used. After the decision, it can be used for as long as the request could have been pending, but for at least 15 minutes. The key or member that sent the spend, and keys created by them, cannot decide. If `requireFourEyes` of the organization is true, a second person must decide.',
      tags: ['Approvals'],
      params: Type.Object({ id: ApprovalId }),
      body: DecisionInput,
      response: { 200: Decided },
    },
    config: {
      scope: 'approvals:write',
      stops: stopsWhere('decision', ['reject']),
      sensitive: [{ field: 'decision', when: 'with an approval above `approvalPasswordAbove`' }],
      problems: [
        'approval_not_found',
        'approval_decided',
        'approval_own_request',
        'four_eyes_required',
      ],
    },
    handler: async (request, reply) => {
      const { organizationId, principal, params, body } = request
      const answer = await write(request, reply, (tx, record) =>
        decide(tx, record, principal, params.id, body),
      )
      answerWatch.look(organizationId)
      feed.announce(organizationId)
      wakeDispatcher()
      return answer
    },
  })

  async function decide(
    tx: Tx,
    record: RecordChange,
    actor: Principal,
    id: string,
    body: Static<typeof DecisionInput>,
  ): Promise<Static<typeof Decided>> {
    const errors = mistakesIn(id, body)
    if (errors.length > 0) throw invalidFields(errors)
    const { decision, comment = null, maxAmount, alsoIds = [] } = body
    const { organizationId } = actor
    const answering = {
      organizationId,
      actor,
      ids: [id, ...alsoIds].map((publicId) => fromPublicId('apr', publicId)),
      decision,
      comment,
      maxAmount: maxAmount === undefined ? undefined : toMicros(maxAmount),
      withoutPassword: missingReauthentication(actor, now()),
    }
    const outcomes = await decideApprovals(tx, clock, answering, record)
    if (onApproval) measureWaits(outcomes, onApproval, now())
    const [first, ...others] = outcomes
    if (!first || 'problem' in first) throw first?.problem ?? new Error('Nothing was decided.')
    const { approval } = first
    const at = now()
    const contextOf = await readContexts(tx, organizationId, [approval], {
      viewer: actor,
      publicUrl,
      now: at,
    })
    const shape = toApprovalShape(approval, contextOf(approval), actor, at)
    return { ...shape, also: others.map(toAlso) }
  }
}

function measureWaits(
  outcomes: readonly Outcome[],
  onApproval: (waitedMs: number) => void,
  now: number,
): void {
  for (const outcome of outcomes) {
    if ('approval' in outcome) onApproval(now - outcome.approval.createdAt)
  }
}

function mistakesIn(
  id: string,
  { decision, maxAmount, alsoIds = [] }: Static<typeof DecisionInput>,
): FieldError[] {
  const isTwice = alsoIds.includes(id)
  const isVain = maxAmount !== undefined && (decision === 'reject' || alsoIds.length > 0)
  const twice = {
    path: '/alsoIds',
    code: 'not_allowed',
    message: 'must not name the approval itself',
  }
  const vain = {
    path: '/maxAmount',
    code: 'not_allowed',
    message: 'is allowed only when you approve a single request',
  }
  return [...(isTwice ? [twice] : []), ...(isVain ? [vain] : [])]
}

function toAlso(outcome: Outcome): Static<typeof Also> {
  const id = toPublicId('apr', outcome.id)
  if ('approval' in outcome) {
    return { id, decided: true, status: outcome.approval.status, code: null, message: null }
  }
  const { problem } = outcome
  return { id, decided: false, status: null, code: problem.code, message: problem.message }
}
