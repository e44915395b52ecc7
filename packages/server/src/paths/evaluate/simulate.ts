import { type Static, Type } from 'typebox'
import { parseRules, RuleInput } from '../../core/rules/rule-set.ts'
import type { App } from '../../http/app.ts'
import { createAtOnce } from '../../http/at-once.ts'
import { Warning } from '../../http/schemas.ts'
import { answerFor, toPreviewFields } from '../decision-answer.ts'
import type { PathParts } from '../path.ts'
import { spenderOf } from '../spend-fields.ts'
import { Evaluation, SPEND_EXAMPLE, SpendFields } from './schemas.ts'
import { toSpend } from './to-spend.ts'

const SimulateBody = Type.Object(
  {
    ...SpendFields,
    rules: Type.Optional(
      Type.Array(RuleInput, {
        maxItems: 64,
        description: "Judged instead of the mandate's own rules, to try a draft.",
      }),
    ),
  },
  {
    additionalProperties: false,
    title: 'SimulationInput',
    examples: [SPEND_EXAMPLE],
  },
)

const Simulation = Type.Object(
  {
    ...Evaluation.properties,
    transactionId: Type.Null(),
    warnings: Type.Optional(
      Type.Array(Warning, { description: 'Where rules are given: what they cannot know here.' }),
    ),
  },
  { title: 'Simulation', description: 'As an evaluation would answer now; nothing was recorded.' },
)

/** Nothing is recorded of a simulation, so nothing else bounds how many are asked for. */
export const SIMULATIONS_MAX = 16

/** `POST /gateway/simulate`: a dry run of the direct path. */
export function simulateRoutes(app: App, { gateway, now }: PathParts): void {
  const atOnce = createAtOnce({ most: SIMULATIONS_MAX, of: 'simulations' })
  app.route({
    method: 'POST',
    url: '/gateway/simulate',
    schema: {
      operationId: 'simulate',
      summary: 'Try a spend: the same answer, nothing recorded or spent',
      tags: ['Gateway'],
      body: SimulateBody,
      response: { 200: Simulation },
    },
    config: {
      scope: 'gateway:read',
      agentKeys: 'allowed',
      problems: ['agent_not_found', 'expressions_too_costly'],
    },
    handler: async (request): Promise<Static<typeof Simulation>> => {
      const { organizationId, principal, body } = request
      const receivedAt = performance.now()
      const spend = toSpend(organizationId, spenderOf(principal, body), body, now())
      const decision = await atOnce.run(request, async () =>
        gateway.preview(spend, body.rules && parseRules(body.rules)),
      )
      return answerFor(principal, {
        ...toPreviewFields(spend, decision, receivedAt),
        status: decision.status,
        ...(body.rules ? { warnings: [...decision.warnings] } : {}),
      })
    },
  })
}
