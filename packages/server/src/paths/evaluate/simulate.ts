import { type Static, Type } from 'typebox'
import { invalidFields } from '../../base/errors.ts'
import { isOneLabel } from '../../core/vendor.ts'
import type { App } from '../../http/app.ts'
import { EXAMPLE_DETAILS, EXAMPLE_SPEND } from '../../http/document/examples.ts'
import { fromPublicId, nullable, publicId, Warning } from '../../http/document/schemas.ts'
import { APPROVED_SPEND, REJECTED_SPEND, VARIANTS, variant } from '../../http/document/variants.ts'
import { createAtOnce } from '../../http/limits/at-once.ts'
import { answerFor, toPreviewFields } from '../decision-answer.ts'
import type { PathParts } from '../path.ts'
import { spenderOf } from '../spend-fields.ts'
import { answerAgain, ReevaluationFields } from './judged-again.ts'
import { EVALUATION_EXAMPLE, Evaluation, SpendFields } from './schemas.ts'
import { toSpend } from './to-spend.ts'
import { findTried, hasTrialTerms, onPath, TrialFields, toTrial } from './trial.ts'
import { requireWholeHost } from './whole-host.ts'

const { amount, vendor, category, ...others } = SpendFields

const SimulateBody = Type.Object(
  {
    amount: Type.Optional(amount),
    vendor: Type.Optional(vendor),
    category: Type.Optional(category),
    ...others,
    ...TrialFields,
    transactionId: Type.Optional({
      ...publicId('txn', 'an earlier decision'),
      description:
        'The id of an earlier decision to evaluate again with its stored inputs. No other field is allowed with it. Without it, `amount`, `vendor` and `category` are required.',
    }),
  },
  {
    additionalProperties: false,
    title: 'SimulationInput',
    examples: [EXAMPLE_SPEND],
  },
)

const SIMULATION_EXAMPLE = {
  ...EVALUATION_EXAMPLE,
  transactionId: null,
  evaluationDetails: { ...EXAMPLE_DETAILS, receipt: null },
}

/** A dry run opens no hold, so no key lacks a scope to close it. */
const { missingScope: _, ...Judged } = Evaluation.properties

const Simulation = Type.Object(
  {
    ...Judged,
    transactionId: nullable(
      publicId(
        'txn',
        'the decision that was evaluated again. Null for a new spend, since nothing is recorded',
      ),
    ),
    warnings: Type.Optional(
      Type.Array(Warning, {
        description:
          'Only if you sent `rules`, `mandateId` or `budgetTotal`: warnings about the rules, such as history that the simulation does not have.',
      }),
    ),
    ...ReevaluationFields,
  },
  {
    title: 'Simulation',
    description: 'The response that an evaluation would give now. Nothing was recorded.',
    examples: [SIMULATION_EXAMPLE],
    [VARIANTS]: [
      variant('ApprovedSimulation', APPROVED_SPEND),
      variant('RejectedSimulation', REJECTED_SPEND),
    ],
  },
)

/**
 * Limits concurrent simulations. They are not recorded, so no other limit applies to their number.
 */
export const SIMULATIONS_MAX = 16

/** `POST /gateway/simulate`: a dry run of the direct path. */
export function simulateRoutes(app: App, { gateway, db, now }: PathParts): void {
  const atOnce = createAtOnce({ most: SIMULATIONS_MAX, of: 'simulations' })
  app.route({
    method: 'POST',
    url: '/gateway/simulate',
    schema: {
      operationId: 'simulate',
      summary: 'Simulate a spend without recording or spending anything',
      description:
        'Returns the same response as an evaluation. With `mandateId`, `rules` and `budgetTotal`, you can try out terms that are not active. With the `transactionId` of an earlier decision, the gateway evaluates that decision again from its stored inputs. If the rule engine has not changed since, the response is the same except for `durationMs` and `receipt`.',
      tags: ['Gateway'],
      body: SimulateBody,
      response: { 200: Simulation },
    },
    config: {
      scope: 'gateway:read',
      agentKeys: 'allowed',
      changesNothing: true,
      problems: [
        'agent_not_found',
        'mandate_not_found',
        'mandate_state',
        'transaction_not_found',
        'inputs_not_kept',
        'expressions_too_costly',
      ],
    },
    handler: async (request, reply) => {
      const { organizationId, principal, body } = request
      if (body.transactionId !== undefined) {
        const id = transactionIn(body)
        return atOnce.run(request, () => answerAgain(gateway, request, reply, id))
      }
      const receivedAt = performance.now()
      const told = toldSpend(body)
      const tried = await findTried(db, request, body, now())
      const spender = spenderOf(principal, tried ?? body)
      const spend = onPath(toSpend(organizationId, spender, told, now()), body.path)
      const decision = await atOnce.run(request, async () => {
        if (isOneLabel(spend.vendor)) await requireWholeHost(db, request, spend.vendor)
        return gateway.preview(spend, await toTrial(db, request, body, tried, now()))
      })
      return answerFor(principal, {
        ...toPreviewFields(spend, decision, receivedAt),
        status: decision.status,
        ...(hasTrialTerms(body) ? { warnings: [...decision.warnings] } : {}),
      })
    },
  })
}

type Body = Static<typeof SimulateBody>

/** Refuses all other fields, because a decision that is judged again has its own inputs. */
function transactionIn({ transactionId = '', ...others }: Body): string {
  const [other] = Object.keys(others)
  if (other === undefined) return fromPublicId('txn', transactionId)
  const message = 'cannot be combined with transactionId, which has its own inputs'
  throw invalidFields([{ path: `/${other}`, code: 'conflict', message }])
}

function toldSpend(body: Body) {
  const { amount, vendor, category, ...others } = body
  if (amount !== undefined && vendor !== undefined && category !== undefined) {
    return { ...others, amount, vendor, category }
  }
  const missing = Object.entries({ amount, vendor, category }).flatMap(([name, value]) =>
    value === undefined ? [{ path: `/${name}`, code: 'required', message: 'is required' }] : [],
  )
  throw invalidFields(missing)
}
