import { type Static, Type } from 'typebox'
import { invalidFields } from '../../base/errors.ts'
import { actsFor } from '../../core/api-key.ts'
import { BAD_CATEGORY, toCategory } from '../../core/category.ts'
import { ownView } from '../../core/decision/own-view.ts'
import { budgetAt } from '../../core/mandates/mandate.ts'
import { toMicros, toUnits } from '../../core/money.ts'
import { PATH_NAMES } from '../../core/path.ts'
import type { Principal } from '../../core/principal.ts'
import type { Spend } from '../../core/spend.ts'
import type { Instant } from '../../core/time/instant.ts'
import { scarcest } from '../../core/tokens/claims.ts'
import { toVendor } from '../../core/vendor.ts'
import type { Preview } from '../../gateway/preview.ts'
import type { App } from '../../http/app.ts'
import {
  DecisionCode,
  Money,
  nullable,
  sumOf,
  timeWhen,
  toTimestamp,
} from '../../http/document/schemas.ts'
import { ABSENT, PRESENT, VARIANTS, type Variant } from '../../http/document/variants.ts'
import { createAtOnce } from '../../http/limits/at-once.ts'
import { newId } from '../../storage/new-id.ts'
import type { VerifiedToken } from '../../tokens/mandate-tokens.ts'
import { type Line, readLiving } from '../../tokens/standing.ts'
import { BudgetPeriod, Currency } from '../mandates/term-schemas.ts'
import { INTROSPECTION_EXAMPLE } from './examples.ts'
import { requireIssuer, type TokenParts } from './issuer.ts'

const Proposed = Type.Object(
  {
    amount: Money,
    currency: Type.Optional(Currency),
    vendor: Type.String({
      minLength: 1,
      maxLength: 2_048,
      description:
        'Host name of the vendor, such as `shop.example`. From a URL, the gateway takes the host.',
      examples: ['shop.example'],
    }),
    category: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'The category of the purchase.',
        examples: ['office'],
      }),
    ),
    path: Type.Optional(
      Type.Enum([...PATH_NAMES], {
        type: 'string',
        description: 'The payment path of the spend. Default: `evaluate`.',
      }),
    ),
  },
  {
    additionalProperties: false,
    description: 'A spend to decide on without recording or holding anything.',
  },
)

const IntrospectBody = Type.Object(
  {
    token: Type.String({ minLength: 1, maxLength: 16_384, description: 'The mandate token.' }),
    proposed: Type.Optional(Proposed),
  },
  {
    additionalProperties: false,
    title: 'IntrospectionInput',
    examples: [
      { token: 'eyJ…', proposed: { amount: 12.5, vendor: 'shop.example', category: 'office' } },
    ],
  },
)

const INTROSPECTION_VARIANTS: readonly Variant[] = [
  {
    title: 'ActiveMandateToken',
    description: 'The token is valid now and belongs to your organization.',
    fields: {
      active: { value: true, description: 'The token is valid now.' },
      ...{ claims: PRESENT, budget: PRESENT },
    },
  },
  {
    title: 'InactiveMandateToken',
    description: 'The token is not valid now, or does not belong to your organization.',
    fields: {
      active: { value: false, description: 'The token cannot be relied on.' },
      ...{ claims: ABSENT, budget: ABSENT, proposed: ABSENT },
    },
  },
]

const Introspection = Type.Object(
  {
    active: Type.Boolean({
      description:
        'Whether the token is valid now and belongs to your organization. If false, the response has no other fields.',
    }),
    claims: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'The claims of the token.' }),
    ),
    budget: Type.Optional(
      Type.Object(
        {
          currency: Currency,
          limit: sumOf('The budget of the period'),
          remaining: sumOf('The remaining budget'),
          period: BudgetPeriod,
          resetsAt: nullable(timeWhen('When the budget resets', 'Null if it never does.')),
          asOf: timeWhen('The time of these figures'),
        },
        {
          description:
            "The current budget: that of the mandate or of the parent mandate with the smallest remaining budget. An agent-bound key sees only its own mandate's budget.",
        },
      ),
    ),
    proposed: Type.Optional(
      Type.Object(
        {
          decision: Type.Enum(['approved', 'rejected'], { type: 'string' }),
          code: DecisionCode,
          message: Type.String({ description: 'The decision explained in one sentence.' }),
          next: Type.Object(
            {
              maxAmountNow: nullable(sumOf('The largest amount that would be approved now')),
              maxAmountWithApproval: nullable(
                sumOf("The largest amount that would pass now with a person's approval"),
              ),
              retryAfter: nullable(timeWhen('When the same amount would be approved')),
            },
            { description: "The agent's options after a rejection." },
          ),
        },
        { description: 'The decision that the proposed spend would get now.' },
      ),
    ),
  },
  {
    title: 'Introspection',
    description: 'Whether a mandate token is active, and the remaining budget if it is.',
    examples: [INTROSPECTION_EXAMPLE],
    [VARIANTS]: INTROSPECTION_VARIANTS,
  },
)

/** An introspection is not recorded, so nothing else limits how many run at once. */
export const INTROSPECTIONS_MAX = 16

/** `POST /gateway/mandate-token/introspect`: whether a token is active, and the remaining budget. */
export function introspectionRoutes(app: App, parts: TokenParts): void {
  const { gateway, tokens, now } = parts
  const atOnce = createAtOnce({ most: INTROSPECTIONS_MAX, of: 'introspections' })

  app.route({
    method: 'POST',
    url: '/gateway/mandate-token/introspect',
    schema: {
      operationId: 'introspectMandateToken',
      summary: 'Check whether a mandate token is active, and the remaining budget',
      tags: ['Gateway'],
      body: IntrospectBody,
      response: { 200: Introspection },
    },
    config: {
      scope: 'gateway:read',
      agentKeys: 'allowed',
      changesNothing: true,
      problems: ['public_url_missing'],
    },
    handler: async (request, reply): Promise<Static<typeof Introspection>> => {
      const { organizationId, principal, body } = request
      const issuer = requireIssuer(parts)
      const toSpend = body.proposed && readProposed(organizationId, body.proposed)
      reply.header('cache-control', 'no-store')
      return atOnce.run(request, async () => {
        await gateway.releaseOverdue(organizationId)
        const token = ownToken(await tokens.verify(body.token, issuer), organizationId, principal)
        const living = await readLiving(parts, organizationId, token)
        if (!token || !living) return { active: false }
        const answer = {
          active: true,
          claims: { ...token.claims },
          budget: toBudget(principal, living.line, living.now),
        }
        if (!toSpend) return answer
        const spend = toSpend(token.agentId, now())
        const decision = await gateway.preview(spend, undefined)
        return { ...answer, proposed: toVerdict(principal, spend, decision) }
      })
    },
  })
}

/**
 * Only the token's own organization may introspect it: others could find out the remaining budget by
 * proposing ever smaller spends.
 */
function ownToken(
  token: VerifiedToken | undefined,
  organizationId: string,
  principal: Principal,
): VerifiedToken | undefined {
  const isOwn = token?.organizationId === organizationId && actsFor(principal, token.agentId)
  return isOwn ? token : undefined
}

function readProposed(
  organizationId: string,
  proposed: Static<typeof Proposed>,
): (agentId: string, now: Instant) => Spend {
  const vendor = toVendor(proposed.vendor)
  const category = proposed.category === undefined ? null : toCategory(proposed.category)
  if (vendor === undefined || category === undefined) {
    throw invalidFields([
      ...(vendor === undefined ? [BAD_VENDOR] : []),
      ...(category === undefined ? [{ ...BAD_CATEGORY, path: '/proposed/category' }] : []),
    ])
  }
  return (agentId, now) => ({
    transactionId: newId(now),
    organizationId,
    agentId,
    path: proposed.path ?? 'evaluate',
    amount: toMicros(proposed.amount),
    currency: proposed.currency ?? null,
    vendor,
    category,
    reference: null,
    payee: null,
    holdMs: null,
    card: null,
  })
}

const BAD_VENDOR = {
  path: '/proposed/vendor',
  code: 'format',
  message: 'must be a host name such as api.example.com, or a URL',
}

function toBudget({ agentIds }: Principal, line: Line, now: Instant) {
  const mandate = agentIds === null ? scarcest(line, now) : line[0]
  const { remaining, periodEnd } = budgetAt(mandate, now)
  return {
    currency: mandate.currency,
    limit: toUnits(mandate.budgetTotal),
    remaining: toUnits(remaining),
    period: mandate.budgetPeriod,
    resetsAt: toTimestamp(periodEnd),
    asOf: toTimestamp(now),
  }
}

/** An agent-bound key sees as much as a simulation would show it. */
function toVerdict({ agentIds }: Principal, spend: Spend, decision: Preview) {
  const { details } = decision
  const seen =
    agentIds === null
      ? details
      : ownView({
          details,
          remainingBudget: toUnits(decision.remainingBudget),
          amount: toUnits(spend.amount),
          flags: decision.flaggedBy,
        }).details
  const { code, message, next } = { ...details, ...seen }
  return { decision: decision.decision, code, message, next }
}
