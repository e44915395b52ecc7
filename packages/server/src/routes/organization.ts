import { type Static, Type } from 'typebox'
import { STANDARD_KINDS } from '../core/events/event.ts'
import type { Organization as CoreOrganization } from '../core/organization.ts'
import { PLANS, requestsPerMinuteOf, usageMonth } from '../core/plan.ts'
import { DAYS_MAX, DETAILS_DAYS_MIN, EVENTS_DAYS_MIN } from '../core/retention.ts'
import { invalidFields, type Problem } from '../errors.ts'
import type { App } from '../http/app.ts'
import type { Write } from '../http/idempotency.ts'
import { Name, nullable, publicId, Timestamp, toPublicId, toTimestamp } from '../http/schemas.ts'
import type { OutboundClient } from '../outbound/outbound-client.ts'
import { countAgents } from '../storage/agents.ts'
import { readPlanUsage } from '../storage/decisions/plan-usage.ts'
import type { Database } from '../storage/engine/database.ts'
import {
  getOrganization,
  type OrganizationChange as StoredChange,
  updateOrganization,
} from '../storage/organizations.ts'
import { Currency, TimeZone } from './mandates/shape.ts'
import { EventKindName } from './webhooks/shape.ts'

const PlanName = Type.Enum(['free', 'pro', 'scale', 'self_hosted'], { type: 'string' })
const WebhookUrl = Type.String({
  format: 'http-url',
  maxLength: 2_048,
  description: 'Receives the webhook events.',
  examples: ['https://hooks.example.com/purser'],
})
const WebhookEvents = Type.Array(EventKindName, {
  uniqueItems: true,
  description:
    'The kinds of events that are sent to the webhook URL; by default the first four. The feed holds those four in any case, and the others only while they are named here.',
  examples: [['transaction.approved', 'transaction.rejected', 'transaction.settled']],
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

export const Organization = Type.Object(
  {
    id: publicId('org', 'the organization'),
    name: Name,
    plan: PlanName,
    timezone: TimeZone,
    currency: Currency,
    frozen: Frozen,
    webhookUrl: nullable(WebhookUrl),
    webhookEvents: WebhookEvents,
    x402Fetch: X402Fetch,
    webhookSecretHint: Type.String({ description: 'How the webhook secret begins.' }),
    webhookSecretRotatedAt: Timestamp,
    retention: Retention,
    createdAt: Timestamp,
  },
  { title: 'Organization' },
)

const OrganizationChange = Type.Partial(
  Type.Object({
    name: Name,
    timezone: TimeZone,
    currency: Currency,
    frozen: Frozen,
    webhookUrl: nullable(WebhookUrl),
    webhookEvents: WebhookEvents,
    x402Fetch: X402Fetch,
    retention: RetentionChange,
  }),
  {
    additionalProperties: false,
    minProperties: 1,
    title: 'OrganizationChange',
    examples: [{ webhookUrl: 'https://hooks.example.com/purser' }],
  },
)

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
  { title: 'Usage' },
)

interface OrganizationParts {
  readonly db: Database
  readonly write: Write
  readonly outbound: OutboundClient
  readonly now: () => number
  readonly requestsPerMinute: number | null
}

export function organizationRoutes(
  app: App,
  { db, write, outbound, now, requestsPerMinute }: OrganizationParts,
): void {
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
    handler: async ({ organizationId }) =>
      toOrganizationShape(await getOrganization(db, organizationId)),
  })

  app.route({
    method: 'PATCH',
    url: '/organization',
    schema: {
      operationId: 'updateOrganization',
      summary:
        'Change settings: webhook URL and events, name, time zone, currency, calls to x402 vendors, retention, the kill switch',
      tags: ['Organization'],
      body: OrganizationChange,
      response: { 200: Organization },
    },
    config: { scope: 'organization:write', sensitive: ['frozen', 'webhookUrl'] },
    handler: async (request, reply) => {
      const { organizationId, body } = request
      // This is asked before the transaction, which must not wait for a name server, but thrown
      // inside of it: a repeat with the same Idempotency-Key gets the same answer, wherever the
      // name leads by then.
      const refusal = await findRefusal(outbound, body.webhookUrl)
      return write(request, reply, async (tx) => {
        if (refusal) throw refusal
        return toOrganizationShape(
          await updateOrganization(tx, organizationId, toChange(body), now()),
        )
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

/** The URL is checked again at every delivery: where a name leads may change. */
async function findRefusal(
  outbound: OutboundClient,
  url: string | null | undefined,
): Promise<Problem | undefined> {
  const refusal = typeof url === 'string' ? await outbound.refusalOf(url) : undefined
  if (!refusal) return undefined
  const { reason, text } = refusal
  return invalidFields([{ path: '/webhookUrl', code: reason, message: text }])
}

function toChange({ x402Fetch, ...others }: Static<typeof OrganizationChange>): StoredChange {
  return { ...others, ...(x402Fetch !== undefined && { callsSellers: x402Fetch }) }
}

export function toOrganizationShape(organization: CoreOrganization): Static<typeof Organization> {
  const { name, plan, timezone, currency, frozen, webhookUrl } = organization
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
    webhookSecretHint: organization.webhookSecretHint,
    webhookSecretRotatedAt: toTimestamp(organization.webhookSecretRotatedAt),
    retention: organization.retention,
    createdAt: toTimestamp(organization.createdAt),
  }
}
