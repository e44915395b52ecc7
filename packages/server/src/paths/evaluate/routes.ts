import { agentNotFound } from '../../core/agent.ts'
import { actsFor } from '../../core/api-key.ts'
import { toPublicId } from '../../core/id.ts'
import { toUnits } from '../../core/money.ts'
import type { Decided } from '../../gateway/submission.ts'
import type { App } from '../../http/app.ts'
import { readSpendKey } from '../../http/idempotency.ts'
import type { PathParts } from '../path.ts'
import { EvaluateBody, Evaluation } from './schemas.ts'
import { toSpend } from './to-spend.ts'

/** `POST /gateway/evaluate`: judge and record. Money moves elsewhere, after the answer. */
export function evaluateRoutes(app: App, { gateway }: PathParts): void {
  app.route({
    method: 'POST',
    url: '/gateway/evaluate',
    schema: {
      operationId: 'evaluate',
      summary: 'Judge and record a spend',
      description:
        'A rejection is a decision and answers 200. Once this answers, the decision is on disk and the budget is drawn.',
      tags: ['Gateway'],
      body: EvaluateBody,
      response: { 200: Evaluation },
    },
    config: {
      scope: 'gateway:write',
      agentKeys: 'allowed',
      problems: ['agent_not_found', 'plan_limit_exceeded', 'overloaded'],
    },
    handler: async (request, reply) => {
      const receivedAt = performance.now()
      const { organizationId, apiKey, body } = request
      if (!actsFor(apiKey, body.agentId)) throw agentNotFound(body.agentId)
      const decided = await gateway.decide({
        spend: toSpend(organizationId, body),
        reason: body.reason ?? null,
        metadata: body.metadata ?? null,
        idempotency: readSpendKey(request, body.agentId),
        receivedAt,
      })
      if (decided.isReplay) reply.header('idempotent-replayed', 'true')
      return reply
        .header('content-type', 'application/json; charset=utf-8')
        .serializer(asText)
        .send(toAnswer(decided) as never)
    },
  })
}

/**
 * The answer as text. The details were written once and are stored as this same text, so a repeated
 * request is given the same bytes, and nothing is serialized twice.
 */
function toAnswer(decided: Decided): string {
  const { mandateId, decision, agentId, amount, vendor, category, status } = decided
  return (
    `{"decision":"${decision}","remainingBudget":${toUnits(decided.remainingBudget)},` +
    `"transactionId":"${toPublicId('txn', decided.id)}","evaluationDetails":${decided.details},` +
    `"mandateId":${mandateId === null ? null : `"${toPublicId('mnd', mandateId)}"`},` +
    `"agentId":"${agentId}","amount":${toUnits(amount)},"vendor":${JSON.stringify(vendor)},` +
    `"category":${JSON.stringify(category)},"status":"${status}"}`
  )
}

function asText(payload: unknown): string {
  return String(payload)
}
