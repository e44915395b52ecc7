import { type Static, Type } from 'typebox'
import { actorText } from '../../core/actor.ts'
import { STANDARD_KINDS } from '../../core/events/event.ts'
import { toPublicId } from '../../core/id.ts'
import { toMicros, toUnits } from '../../core/money.ts'
import type { Organization as CoreOrganization } from '../../core/organization.ts'
import { PLANS, requestsPerMinuteOf, usageMonth } from '../../core/plan.ts'
import { DAYS_MAX, DETAILS_DAYS_MIN, EVENTS_DAYS_MIN } from '../../core/retention.ts'
import type { App } from '../../http/app.ts'
import { aboutCards } from '../../http/body/card-numbers.ts'
import {
  ActorName,
  Name,
  nullable,
  publicId,
  Timestamp,
  toTimestamp,
} from '../../http/document/schemas.ts'
import type { Write } from '../../http/idempotency.ts'
import type { OrganizationField, PathFields } from '../../http/path-fields.ts'
import { stopsWhere } from '../../http/stops.ts'
import type { OutboundClient } from '../../outbound/outbound-client.ts'
import { countAgents } from '../../storage/agents.ts'
import { readPlanUsage } from '../../storage/decisions/store-usage.ts'
import type { Database } from '../../storage/engine/database.ts'
import {
  getOrganization,
  type OrganizationChange as StoredChange,
  updateOrganization,
} from '../../storage/organizations.ts'
import type { Sealer } from '../../storage/secrets/sealed.ts'
import { readWebhookUrl } from '../../storage/webhooks/urls.ts'
import { Currency, TimeZone } from '../mandates/shape.ts'
import { findRefusal } from '../refused-addresses.ts'
import { ShownWebhookEvents, WebhookEvents } from '../webhooks/shape.ts'
import { ORGANIZATION_EXAMPLE, USAGE_EXAMPLE } from './examples.ts'
import { ANSWER_TERMS, requireOwner, SENSITIVE_SETTINGS } from './guarded.ts'
import { createChangeUrl, shownUrl } from './webhook-url.ts'

const PlanName = Type.Enum(['free', 'pro', 'scale', 'self_hosted'], { type: 'string' })
const WebhookUrl = Type.String({
  format: 'http-url',
  maxLength: 2_048,
  description: 'Receives the webhook events.',
  examples: ['https://hooks.example.com/purser'],
})
const Frozen = Type.Boolean({
  description: 'The kill switch: while it is on, no spend of any agent is approved.',
})

const X402Fetch = Type.Boolean({
  description:
    'Whether the gateway may call vendors for agents: x402 in mode `fetch`, and asking a vendor whether a payment request is its own. Off by default.',
})

const days = (minimum: number, description: string) =>
  nullable(Type.Integer({ minimum, maximum: DAYS_MAX, description }))

const retentionFields = {
  detailsDays: days(
    DETAILS_DAYS_MIN,
    'For how many days transactions keep `evaluationDetails` and `metadata`. Null: for ever, which is the default. The transactions themselves are never removed.',
  ),
  eventsDays: days(
    EVENTS_DAYS_MIN,
    'For how many days events, webhook deliveries and their attempts are kept; 400 in a new organization. Null: for ever.',
  ),
}

const Retention = Type.Object(retentionFields, {
  title: 'Retention',
  description: 'What is older is removed, little by little; it cannot be brought back.',
})
const RetentionChange = Type.Partial(Type.Object(retentionFields), {
  additionalProperties: false,
  minProperties: 1,
})

const settable = {
  name: Name,
  timezone: TimeZone,
  currency: Currency,
  frozen: Frozen,
  webhookUrl: nullable(WebhookUrl),
  webhookEvents: WebhookEvents,
  x402Fetch: X402Fetch,
  ...ANSWER_TERMS,
  retention: RetentionChange,
}
const Settable = Type.Partial(Type.Object(settable))

/** The schemas of the organization, with the field that a payment path brings. */
function createShapes(acp: Pick<OrganizationField, 'shown' | 'input'>) {
  const Organization = Type.Object(
    {
      id: publicId('org', 'the organization'),
      name: Name,
      plan: PlanName,
      timezone: TimeZone,
      currency: Currency,
      frozen: Frozen,
      webhookUrl: nullable(WebhookUrl),
      webhookEvents: ShownWebhookEvents,
      x402Fetch: X402Fetch,
      ...ANSWER_TERMS,
      webhookSecretHint: Type.String({ description: 'How the webhook secret begins.' }),
      webhookSecretRotatedAt: Timestamp,
      retention: Retention,
      acp: acp.shown,
      createdAt: Timestamp,
      updatedBy: ActorName,
    },
    { title: 'Organization', examples: [ORGANIZATION_EXAMPLE] },
  )

  const OrganizationChange = Type.Partial(Type.Object({ ...settable, acp: acp.input }), {
    additionalProperties: false,
    minProperties: 1,
    title: 'OrganizationChange',
    examples: [{ webhookUrl: 'https://hooks.example.com/purser' }],
  })

  return { Organization, OrganizationChange }
}

type OrganizationShape = Static<ReturnType<typeof createShapes>['Organization']>

const Used = Type.Object({
  used: Type.Integer(),
  limit: Type.Union([Type.Integer(), Type.Null()], { description: 'Null: unlimited.' }),
})

const Usage = Type.Object(
  {
    plan: PlanName,
    evaluations: Used,
    agents: Used,
    requestsPerMinute: Type.Object({
      limit: Type.Union([Type.Integer(), Type.Null()], {
        description: 'Per key. Null: unlimited.',
      }),
    }),
    periodStart: Timestamp,
    resetsAt: Timestamp,
  },
  { title: 'Usage', examples: [USAGE_EXAMPLE] },
)

interface OrganizationParts {
  readonly db: Database
  readonly write: Write
  readonly sealer: Sealer
  readonly outbound: OutboundClient
  readonly now: () => number
  readonly requestsPerMinute: number | null
  readonly fields: PathFields
}

export function organizationRoutes(
  app: App,
  { db, write, sealer, outbound, now, requestsPerMinute, fields }: OrganizationParts,
): void {
  const acpField = fields.organization
  const { Organization, OrganizationChange } = createShapes(acpField)
  // Addresses may have digits in them.
  const aboutOrganization = aboutCards('webhookUrl', ...acpField.withoutCards)
  const changeUrl = createChangeUrl(sealer)

  app.route({
    method: 'GET',
    url: '/organization',
    schema: {
      operationId: 'getOrganization',
      summary: 'Get the settings of the organization',
      tags: ['Organization'],
      response: { 200: Organization },
    },
    config: { scope: 'organization:read' },
    handler: async ({ organizationId }) => {
      const [organization, webhookUrl, acp] = await Promise.all([
        getOrganization(db, organizationId),
        readWebhookUrl(db, sealer, organizationId),
        acpField.show(db, organizationId),
      ])
      return toOrganizationShape({ ...organization, webhookUrl }, acp)
    },
  })

  app.route({
    method: 'PATCH',
    url: '/organization',
    schema: {
      operationId: 'updateOrganization',
      summary: 'Change the settings of the organization',
      description:
        'Webhook URL and events, name, time zone, currency, calls to x402 vendors, ways to pay at ACP shops, retention, and the kill switch (`frozen`).',
      tags: ['Organization'],
      body: OrganizationChange,
      response: { 200: Organization },
    },
    config: {
      scope: 'organization:write',
      cards: aboutOrganization,
      sensitive: SENSITIVE_SETTINGS,
      stops: stopsWhere('frozen', [true], 'freeze'),
      problems: ['session_required', 'insufficient_role'],
    },
    handler: async (request, reply) => {
      const { organizationId, principal, body } = request
      const { acp, webhookUrl, ...others } = body
      const settings = webhookUrl === undefined ? others : { ...others, ...shownUrl(webhookUrl) }
      const refusal = await findRefusal(outbound, [
        ['/webhookUrl', body.webhookUrl],
        ...acpField.addressesOf(acp),
      ])
      return write(request, reply, async (tx, record) => {
        if (refusal) throw refusal
        const [at, by] = [now(), actorText(principal)]
        const changed = await updateOrganization(tx, organizationId, toChange(settings), at, by)
        if (body.requireFourEyes !== undefined) await requireOwner(tx, principal)
        const acpBefore = await acpField.show(tx, organizationId)
        const urls = await changeUrl(tx, organizationId, changed.before.webhookUrl, webhookUrl, at)
        const before = toOrganizationShape({ ...changed.before, ...urls.before }, acpBefore)
        if (acp) await acpField.store(tx, organizationId, acp)
        const acpAfter = acp ? await acpField.show(tx, organizationId) : acpBefore
        const after = toOrganizationShape({ ...changed.after, ...urls.after }, acpAfter)
        record({ operation: 'organization.updated', subjectId: after.id, at, before, after })
        return after
      })
    },
  })

  app.route({
    method: 'GET',
    url: '/organization/usage',
    schema: {
      operationId: 'getUsage',
      summary: 'Get the plan, its limits, what is used and when it resets',
      tags: ['Organization'],
      response: { 200: Usage },
    },
    config: { scope: 'organization:read' },
    handler: async ({ organizationId }) => {
      const { month, resetsAt } = usageMonth(now())
      const { plan } = await getOrganization(db, organizationId)
      const limits = PLANS[plan]
      return {
        plan,
        evaluations: {
          used: await readPlanUsage(db, organizationId, month),
          limit: limits.evaluationsPerMonth,
        },
        agents: { used: await countAgents(db, organizationId), limit: limits.agents },
        requestsPerMinute: { limit: requestsPerMinuteOf(plan, requestsPerMinute) },
        periodStart: `${month}T00:00:00.000Z`,
        resetsAt: toTimestamp(resetsAt),
      }
    },
  })
}

function toChange({
  x402Fetch,
  requireFourEyes,
  approvalPasswordAbove: above,
  ...others
}: Static<typeof Settable>): StoredChange {
  return {
    ...others,
    ...(x402Fetch !== undefined && { callsSellers: x402Fetch }),
    ...(requireFourEyes !== undefined && { requiresFourEyes: requireFourEyes }),
    ...(above !== undefined && { passwordAbove: above === null ? null : toMicros(above) }),
  }
}

/** `acp` is the field as its payment path shows it. */
function toOrganizationShape(organization: CoreOrganization, acp: unknown): OrganizationShape {
  const { name, plan, timezone, currency, frozen, webhookUrl, passwordAbove } = organization
  return {
    id: toPublicId('org', organization.id),
    name,
    plan,
    timezone,
    currency,
    frozen,
    webhookUrl,
    webhookEvents: [...(organization.webhookEvents ?? STANDARD_KINDS)],
    x402Fetch: organization.callsSellers,
    requireFourEyes: organization.requiresFourEyes,
    approvalPasswordAbove: passwordAbove === null ? null : toUnits(passwordAbove),
    webhookSecretHint: organization.webhookSecretHint,
    webhookSecretRotatedAt: toTimestamp(organization.webhookSecretRotatedAt),
    retention: organization.retention,
    acp,
    createdAt: toTimestamp(organization.createdAt),
    updatedBy: organization.updatedBy,
  }
}
