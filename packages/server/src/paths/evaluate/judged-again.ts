import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { Problem } from '../../base/errors.ts'
import { actsFor } from '../../core/api-key.ts'
import { toPublicId } from '../../core/id.ts'
import { differencesOf } from '../../core/replay/judge-again.ts'
import type { Gateway } from '../../gateway/gateway.ts'
import type { Decided } from '../../gateway/submission.ts'
import { toAnswerText, visibleTo } from '../decision-answer.ts'

const Difference = Type.Object(
  {
    field: Type.String({ description: 'The name of the field.', examples: ['message'] }),
    before: Type.Unknown({
      description: 'The value in the original response. Null if the field was absent.',
    }),
    after: Type.Unknown({
      description: 'The value that the current rule engine gives. Null if the field is absent.',
    }),
  },
  { title: 'JudgedDifference' },
)

/**
 * The fields that the answer gets if the judging code has changed since the decision, or answers
 * differently.
 */
export const ReevaluationFields = {
  engine: Type.Optional(
    Type.Object(
      {
        // biome-ignore lint/suspicious/noThenProperty: the name of a field of the API.
        then: Type.Integer({
          description: 'The version of the rule engine that made the decision.',
        }),
        now: Type.Integer({
          description: 'The version of the rule engine that evaluated it again.',
        }),
      },
      {
        title: 'JudgingEngines',
        description:
          'The versions of the rule engine. Only present if a newer engine evaluated an earlier decision again.',
      },
    ),
  ),
  differs: Type.Optional(
    Type.Array(Difference, {
      description:
        'The fields whose values differ from the original response. Present with `engine`; empty if nothing differs.',
    }),
  ),
}

/**
 * Judges an earlier decision again (ADR 47). The text equals its first answer, except for
 * `durationMs` and `receipt`.
 */
export async function answerAgain(
  gateway: Gateway,
  { organizationId, principal }: FastifyRequest,
  reply: FastifyReply,
  id: string,
) {
  const judged = await gateway.reevaluate(organizationId, id)
  if (!judged || !actsFor(principal, judged.earlier.agentId)) throw notFound(id)
  const again = visibleTo(principal, judged.again)
  const earlier = visibleTo(principal, judged.earlier)
  const text = toAnswerText(again)
  const differs = differencesOf(comparable(earlier), comparable(again))
  const isSame = judged.engineThen === judged.engineNow && differs.length === 0
  const engine = `{"then":${judged.engineThen},"now":${judged.engineNow}}`
  const told = `,"engine":${engine},"differs":${JSON.stringify(differs)}}`
  return reply
    .header('content-type', 'application/json; charset=utf-8')
    .serializer(String)
    .send((isSame ? text : text.slice(0, -1) + told) as never)
}

/** Returns the answer without the fields that may differ for the same inputs. */
function comparable(decided: Decided): Record<string, unknown> {
  const { evaluationDetails, ...answer } = JSON.parse(toAnswerText(decided))
  const { durationMs: _, receipt: __, ...details } = evaluationDetails
  return { ...answer, ...details }
}

function notFound(id: string): Problem {
  const name = toPublicId('txn', id)
  return new Problem('transaction_not_found', `Transaction ${name} does not exist.`)
}
