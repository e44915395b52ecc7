import { CLOSING_SCOPE, hasScope } from '../../core/api-key.ts'
import type { Principal } from '../../core/principal.ts'
import { isOneLabel } from '../../core/vendor.ts'
import type { Decided } from '../../gateway/submission.ts'
import type { App } from '../../http/app.ts'
import { readSpendKey } from '../../http/idempotency.ts'
import { toAnswerText, visibleTo } from '../decision-answer.ts'
import type { PathParts } from '../path.ts'
import { permitOf, spenderOf } from '../spend-fields.ts'
import { EvaluateBody, Evaluation } from './schemas.ts'
import { toSpend } from './to-spend.ts'
import { requireWholeHost } from './whole-host.ts'

/**
 * `POST /gateway/evaluate`: judges and records a spend. The money moves elsewhere, after the
 * answer.
 */
export function evaluateRoutes(app: App, { gateway, db, now }: PathParts): void {
  app.route({
    method: 'POST',
    url: '/gateway/evaluate',
    schema: {
      operationId: 'evaluate',
      summary: 'Decide on a spend and record the decision',
      description:
        'Returns 200 for an approval and for a rejection. When the response arrives, the decision is on disk and an approved amount has been taken from the budget.',
      tags: ['Gateway'],
      body: EvaluateBody,
      response: { 200: Evaluation },
    },
    config: {
      scope: 'gateway:write',
      agentKeys: 'allowed',
      problems: ['agent_not_found', 'approval_not_found', 'plan_limit_exceeded', 'overloaded'],
    },
    handler: async (request, reply) => {
      const receivedAt = performance.now()
      const { organizationId, principal, body } = request
      const agentId = spenderOf(principal, body)
      const spend = toSpend(organizationId, agentId, body, now())
      const idempotency = readSpendKey(request, agentId)
      if (isOneLabel(spend.vendor)) {
        // A retry gets its first answer, even if such a vendor was still accepted then.
        const earlier = idempotency && (await gateway.recall(organizationId, idempotency))
        if (!earlier) await requireWholeHost(db, request, spend.vendor)
      }
      const decided = await gateway.decide({
        spend,
        reason: body.reason ?? null,
        metadata: body.metadata ?? null,
        idempotency,
        askedBy: principal.id,
        ...permitOf(body),
        receivedAt,
      })
      if (decided.isReplay) reply.header('idempotent-replayed', 'true')
      return reply
        .header('content-type', 'application/json; charset=utf-8')
        .serializer(asText)
        .send(toEvaluationText(principal, decided) as never)
    },
  })
}

/**
 * Adds `missingScope` if the key cannot close its hold. The hold is opened anyway, because a
 * different key may be meant to close it. The missing scope is part of the answer and is not
 * stored, so the same key gets the same bytes again.
 */
function toEvaluationText(principal: Principal, decided: Decided): string {
  const text = toAnswerText(visibleTo(principal, decided))
  if (decided.status !== 'held' || hasScope(principal, CLOSING_SCOPE)) return text
  return `${text.slice(0, -1)},"missingScope":"${CLOSING_SCOPE}"}`
}

function asText(payload: unknown): string {
  return String(payload)
}
