import { type Static, Type } from 'typebox'
import { STANDARD_KINDS } from '../../core/events/event.ts'
import { toPublicId } from '../../core/id.ts'
import { toUnits } from '../../core/money.ts'
import type { Organization as CoreOrganization } from '../../core/organization.ts'
import { DAYS_MAX, DETAILS_DAYS_MIN, EVENTS_DAYS_MIN } from '../../core/retention.ts'
import type { Instant } from '../../core/time/instant.ts'
import {
  ActorName,
  ActorsOwnName,
  Name,
  nullable,
  publicId,
  Timestamp,
  timeWhen,
  toTimestamp,
} from '../../http/document/schemas.ts'
import { ExpectedUpdatedAt } from '../../http/expected-state.ts'
import type { OrganizationField } from '../../http/path-fields.ts'
import { Currency, TimeZone } from '../mandates/term-schemas.ts'
import { reasonOf } from '../reason.ts'
import { ShownWebhookEvents, WebhookEvents } from '../webhooks/shape.ts'
import { ORGANIZATION_EXAMPLE, USAGE_EXAMPLE } from './examples.ts'
import { GATEWAY_FIELDS } from './gateway-fields.ts'
import { ANSWER_TERMS } from './guarded.ts'
import { WebhookEndpoints, WebhookEndpointsInput } from './webhook-endpoints.ts'

const PlanName = Type.Enum(['free', 'pro', 'scale', 'self_hosted'], { type: 'string' })
const WebhookUrl = Type.String({
  format: 'http-url',
  maxLength: 2_048,
  description:
    'The URL of the first webhook endpoint: your server that receives webhook events. Null: there is no such endpoint.',
  examples: ['https://hooks.example.com/purser'],
})
const Frozen = Type.Boolean({
  description: 'The kill switch. While true, the gateway rejects every spend of every agent.',
})

const X402Fetch = Type.Boolean({
  description:
    'Whether the gateway may call x402 vendors: to fetch resources for agents (mode `fetch`), and to check with a vendor that a payment request is genuine. Default: false.',
})

const days = (minimum: number, description: string) =>
  nullable(Type.Integer({ minimum, maximum: DAYS_MAX, description }))

const retentionFields = {
  detailsDays: days(
    DETAILS_DAYS_MIN,
    'How many days transactions keep `evaluationDetails` and `metadata`. Null (default): forever. The transactions themselves are never removed.',
  ),
  eventsDays: days(
    EVENTS_DAYS_MIN,
    'How many days events, webhook deliveries and their attempts are kept. Default: 400. Null: forever.',
  ),
}

const Retention = Type.Object(retentionFields, {
  title: 'Retention',
  description:
    'How long data is kept. The gateway removes older data gradually; it cannot be restored.',
})
const RetentionChange = Type.Partial(Type.Object(retentionFields), {
  additionalProperties: false,
  minProperties: 1,
  description: 'How long data is kept. Omitted fields keep their values.',
})

const settable = {
  name: Name,
  timezone: TimeZone,
  currency: Currency,
  frozen: Frozen,
  webhookUrl: nullable(WebhookUrl),
  webhookEvents: WebhookEvents,
  webhookEndpoints: WebhookEndpointsInput,
  x402Fetch: X402Fetch,
  ...ANSWER_TERMS,
  retention: RetentionChange,
}
export const Settable = Type.Partial(Type.Object(settable))

/** The schemas of the organization, with the field that a payment path provides. */
export function createShapes(acp: Pick<OrganizationField, 'shown' | 'input'>) {
  const Organization = Type.Object(
    {
      id: publicId('org', 'the organization'),
      name: Name,
      plan: PlanName,
      timezone: TimeZone,
      currency: Currency,
      frozen: Frozen,
      frozenAt: nullable(
        timeWhen('When the organization was frozen', 'Null if it is not, or if it was not stored.'),
      ),
      frozenBy: ActorName,
      frozenByName: nullable(
        Type.String({ description: 'The name of the key or member that froze the organization.' }),
      ),
      frozenReason: nullable(
        Type.String({ description: 'The reason for freezing. Null if none was given.' }),
      ),
      webhookUrl: nullable(WebhookUrl),
      webhookEvents: ShownWebhookEvents,
      webhookEndpoints: WebhookEndpoints,
      x402Fetch: X402Fetch,
      ...ANSWER_TERMS,
      webhookSecretHint: Type.String({
        description: 'The first characters of the webhook secret.',
      }),
      webhookSecretRotatedAt: timeWhen('When the webhook secret was last rotated'),
      webhookPreviousSecretValidUntil: nullable(
        timeWhen(
          'Until when `webhook-signature` also has a signature with the previous secret',
          'Null if only the current secret is used.',
        ),
      ),
      retention: Retention,
      acp: acp.shown,
      createdAt: Timestamp,
      updatedAt: Timestamp,
      updatedBy: ActorName,
      updatedByName: ActorsOwnName,
      ...GATEWAY_FIELDS,
    },
    { title: 'Organization', examples: [ORGANIZATION_EXAMPLE] },
  )

  const OrganizationChange = Type.Partial(
    Type.Object({
      ...settable,
      acp: acp.input,
      reason: reasonOf('freezing or resuming. Only allowed with `frozen`'),
      expectedUpdatedAt: ExpectedUpdatedAt,
    }),
    {
      additionalProperties: false,
      minProperties: 1,
      title: 'OrganizationChange',
      examples: [{ webhookUrl: 'https://hooks.example.com/purser' }],
    },
  )

  return { Organization, OrganizationChange }
}

/**
 * The organization without the fields of the gateway, which change records leave out, and without its
 * endpoints.
 */
type OrganizationShape = Omit<
  Static<ReturnType<typeof createShapes>['Organization']>,
  keyof typeof GATEWAY_FIELDS | 'webhookEndpoints'
>

const used = (description: string) =>
  Type.Object(
    {
      used: Type.Integer({ description: 'The current usage.' }),
      limit: Type.Union([Type.Integer(), Type.Null()], {
        description: "The plan's limit. Null: unlimited.",
      }),
    },
    { description },
  )

export const Usage = Type.Object(
  {
    plan: PlanName,
    evaluations: used('The evaluations of the current month.'),
    agents: used('The agents of the organization.'),
    requestsPerMinute: Type.Object(
      {
        limit: Type.Union([Type.Integer(), Type.Null()], {
          description: 'The limit per key. Null: unlimited.',
        }),
      },
      { description: 'The request rate.' },
    ),
    periodStart: timeWhen('When the current month began'),
    resetsAt: timeWhen('When the monthly usage starts again at 0'),
  },
  { title: 'Usage', examples: [USAGE_EXAMPLE] },
)

/** `acp` is the field in the format of its payment path. */
export function toOrganizationShape(
  organization: CoreOrganization,
  acp: unknown,
  nameOf: (actor: string | null) => string | null,
  now: Instant,
): OrganizationShape {
  const { name, plan, timezone, currency, frozen, webhookUrl, passwordAbove } = organization
  const previousUntil = organization.webhookPreviousSecretUntil
  return {
    id: toPublicId('org', organization.id),
    name,
    plan,
    timezone,
    currency,
    frozen,
    frozenAt: toTimestamp(organization.frozenAt),
    frozenBy: organization.frozenBy,
    frozenByName: nameOf(organization.frozenBy),
    frozenReason: organization.frozenReason,
    webhookUrl,
    webhookEvents: [...(organization.webhookEvents ?? STANDARD_KINDS)],
    x402Fetch: organization.callsSellers,
    requireFourEyes: organization.requiresFourEyes,
    approvalPasswordAbove: passwordAbove === null ? null : toUnits(passwordAbove),
    webhookSecretHint: organization.webhookSecretHint,
    webhookSecretRotatedAt: toTimestamp(organization.webhookSecretRotatedAt),
    webhookPreviousSecretValidUntil:
      previousUntil !== null && now < previousUntil ? toTimestamp(previousUntil) : null,
    retention: organization.retention,
    acp,
    createdAt: toTimestamp(organization.createdAt),
    updatedAt: toTimestamp(organization.updatedAt),
    updatedBy: organization.updatedBy,
  }
}
