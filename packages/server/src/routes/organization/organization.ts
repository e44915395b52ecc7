import type { Static } from 'typebox'
import { actorText } from '../../core/actor.ts'
import { laterThan } from '../../core/changed-meanwhile.ts'
import { toPublicId } from '../../core/id.ts'
import { toMicros } from '../../core/money.ts'
import type { Organization as CoreOrganization } from '../../core/organization.ts'
import { PLANS, requestsPerMinuteOf, usageMonth } from '../../core/plan.ts'
import { withActorName } from '../../http/actor-names.ts'
import type { App } from '../../http/app.ts'
import { aboutCards } from '../../http/body/card-numbers.ts'
import { toTimestamp } from '../../http/document/schemas.ts'
import { readExpectedStates, toETag } from '../../http/expected-state.ts'
import type { Write } from '../../http/idempotency.ts'
import type { PathFields } from '../../http/path-fields.ts'
import { stopsWhere } from '../../http/stops.ts'
import type { OutboundClient } from '../../outbound/outbound-client.ts'
import { readActorNames } from '../../storage/actor-names.ts'
import { countAgents } from '../../storage/agents.ts'
import { readPlanUsage } from '../../storage/decisions/store-usage.ts'
import type { Database } from '../../storage/engine/database.ts'
import {
  getOrganization,
  lockOrganization,
  type OrganizationChange as StoredChange,
  updateOrganization,
} from '../../storage/organizations.ts'
import type { Sealer } from '../../storage/secrets/sealed.ts'
import { listEndpoints } from '../../storage/webhooks/endpoints.ts'
import { requireReasoned } from '../reason.ts'
import { findRefusal } from '../refused-addresses.ts'
import { requireExpected } from '../require-expected.ts'
import { planWebhooks } from './change-webhooks.ts'
import { type GatewaySettings, toGatewayFields } from './gateway-fields.ts'
import { requireOwner, SENSITIVE_SETTINGS } from './guarded.ts'
import { refuseBoth } from './plan-endpoints.ts'
import { createShapes, type Settable, toOrganizationShape, Usage } from './shape.ts'
import { toEndpointShape, toldEndpoints } from './webhook-endpoints.ts'
import { createChangeUrl } from './webhook-url.ts'

interface OrganizationParts extends GatewaySettings {
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
  {
    db,
    write,
    sealer,
    outbound,
    now,
    requestsPerMinute,
    fields,
    ...gatewaySettings
  }: OrganizationParts,
): void {
  const acpField = fields.organization
  const { Organization, OrganizationChange } = createShapes(acpField)
  // Addresses may contain digits that look like a card number.
  const aboutOrganization = aboutCards('webhookUrl', 'webhookEndpoints', ...acpField.withoutCards)
  const changeUrl = createChangeUrl(sealer)

  app.route({
    method: 'GET',
    url: '/organization',
    schema: {
      operationId: 'getOrganization',
      summary: "Get the organization's settings",
      tags: ['Organization'],
      response: { 200: Organization },
    },
    config: { scope: 'organization:read' },
    handler: async (request, reply) => {
      const { organizationId } = request
      const [organization, endpoints, acp] = await Promise.all([
        getOrganization(db, organizationId),
        listEndpoints(db, sealer, organizationId),
        acpField.show(db, organizationId),
      ])
      const webhookUrl = endpoints.find(({ id }) => id === organizationId)?.url ?? null
      reply.header('etag', toETag(organization.updatedAt, 'updatedAt'))
      const nameOf = await readActorNames(db, organizationId, [organization.frozenBy])
      const shape = toOrganizationShape({ ...organization, webhookUrl }, acp, nameOf, now())
      const named = await withActorName(db, request, 'updatedBy', shape)
      const webhookEndpoints = endpoints.map((endpoint) => toEndpointShape(endpoint, now()))
      return { ...named, webhookEndpoints, ...toGatewayFields(gatewaySettings) }
    },
  })

  app.route({
    method: 'PATCH',
    url: '/organization',
    schema: {
      operationId: 'updateOrganization',
      summary: "Change the organization's settings",
      description:
        'Changes the webhook endpoints, name, time zone, currency, calls to x402 vendors, ACP payment instruments, approval settings, retention, or the kill switch (`frozen`).',
      tags: ['Organization'],
      body: OrganizationChange,
      response: { 200: Organization },
    },
    config: {
      scope: 'organization:write',
      cards: aboutOrganization,
      sensitive: SENSITIVE_SETTINGS,
      stops: stopsWhere('frozen', [true], 'freeze'),
      ifMatch: 'updatedAt',
      problems: ['session_required', 'insufficient_role', 'changed_meanwhile'],
    },
    handler: async (request, reply) => {
      const { organizationId, principal, body } = request
      const { webhookUrl, webhookEvents, webhookEndpoints, ...others } = body
      const { acp, reason, expectedUpdatedAt: _, ...settings } = others
      requireReasoned(reason, 'frozen', body.frozen)
      const expected = readExpectedStates(request, body)
      const refusal = await findRefusal(outbound, [
        ['/webhookUrl', webhookUrl],
        ...addressesOf(webhookEndpoints ?? []),
        ...acpField.addressesOf(acp),
      ])
      return write(request, reply, async (tx, record) => {
        if (refusal) throw refusal
        refuseBoth(body)
        const stored = await lockOrganization(tx, organizationId)
        const thing = { ...stored, what: 'organization', id: toPublicId('org', stored.id) } as const
        await requireExpected(tx, organizationId, expected, thing)
        const [at, by] = [laterThan(stored.updatedAt, now()), actorText(principal)]
        const asked = { webhookUrl, webhookEvents, webhookEndpoints }
        const webhooks = await planWebhooks(tx, sealer, stored, asked, at)
        const change = { ...toChange(settings, reason), ...webhooks.settings }
        const changed = await updateOrganization(tx, stored, change, at, by)
        const nameOf = await readActorNames(tx, organizationId, [changed.frozenBy])
        if (body.requireFourEyes !== undefined) await requireOwner(tx, principal)
        const acpBefore = await acpField.show(tx, organizationId)
        const urls = await changeUrl(tx, organizationId, stored.webhookUrl, webhooks.url, at)
        const secrets = await webhooks.store()
        const endpoints = await listEndpoints(tx, sealer, organizationId)
        const before = toOrganizationShape({ ...stored, ...urls.before }, acpBefore, nameOf, at)
        if (acp) await acpField.store(tx, organizationId, acp)
        const acpAfter = acp ? await acpField.show(tx, organizationId) : acpBefore
        const after = toOrganizationShape({ ...changed, ...urls.after }, acpAfter, nameOf, at)
        record({
          operation: 'organization.updated',
          subjectId: after.id,
          at,
          before: { ...before, ...toldEndpoints(organizationId, webhooks.endpoints) },
          after: {
            ...after,
            ...toldEndpoints(organizationId, endpoints),
            ...recordedReason(stored, changed, reason),
          },
        })
        const shown = endpoints.map((one) => toEndpointShape(one, at, secrets.get(one.id)))
        return { ...after, webhookEndpoints: shown, ...toGatewayFields(gatewaySettings) }
      })
    },
  })

  app.route({
    method: 'GET',
    url: '/organization/usage',
    schema: {
      operationId: 'getUsage',
      summary: 'Get the plan, its limits, the usage and the reset time',
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

function addressesOf(list: readonly { readonly url?: string }[]) {
  return list.map(({ url }, index) => [`/webhookEndpoints/${index}/url`, url] as const)
}

/** Repeating the reason of a freeze changes nothing, and leaves no record. */
function recordedReason(
  before: CoreOrganization,
  after: CoreOrganization,
  reason: string | undefined,
): { readonly reason?: string } {
  const isNew = before.frozen !== after.frozen || before.frozenReason !== after.frozenReason
  return reason !== undefined && isNew ? { reason } : {}
}

function toChange(
  {
    x402Fetch,
    requireFourEyes,
    approvalPasswordAbove: above,
    ...others
  }: Omit<Static<typeof Settable>, 'webhookUrl' | 'webhookEvents' | 'webhookEndpoints'>,
  reason: string | undefined,
): StoredChange {
  return {
    ...others,
    ...(reason !== undefined && { frozenReason: reason }),
    ...(x402Fetch !== undefined && { callsSellers: x402Fetch }),
    ...(requireFourEyes !== undefined && { requiresFourEyes: requireFourEyes }),
    ...(above !== undefined && { passwordAbove: above === null ? null : toMicros(above) }),
  }
}
