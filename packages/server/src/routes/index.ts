import assert from 'node:assert/strict'
import type { AnswerWatch } from '../approvals/answer-watch.ts'
import type { LogKeys } from '../audit/log-keys.ts'
import type { PathName } from '../core/path.ts'
import type { Gateway } from '../gateway/gateway.ts'
import type { EndByHand } from '../gateway/holds/by-hand.ts'
import type { App } from '../http/app.ts'
import { type Authentication, authenticate } from '../http/auth/authenticate.ts'
import type { WatchPrincipal } from '../http/auth/credential-watch.ts'
import { guardChanges } from '../http/auth/reauthentication.ts'
import type { FeedSignal } from '../http/feed-signal.ts'
import type { Write } from '../http/idempotency.ts'
import { API_PREFIX } from '../http/known-addresses.ts'
import type { PathFields } from '../http/path-fields.ts'
import type { OutboundClient } from '../outbound/outbound-client.ts'
import type { DatabaseClock } from '../storage/engine/clock.ts'
import type { Database } from '../storage/engine/database.ts'
import type { Sealer } from '../storage/secrets/sealed.ts'
import type { MandateTokens } from '../tokens/mandate-tokens.ts'
import { agentRoutes } from './agents.ts'
import { analyticsRoutes } from './analytics/spend.ts'
import { apiKeyRoutes } from './api-keys/api-keys.ts'
import { apiKeyRevocationRoutes } from './api-keys/revocation.ts'
import { approvalRoutes } from './approvals/approvals.ts'
import { approvalDecisionRoutes } from './approvals/decision.ts'
import { auditLogRoutes } from './audit-log/audit-log.ts'
import { auditProofRoutes } from './audit-log/proof.ts'
import { eventRoutes } from './events/events.ts'
import { introspectionRoutes } from './mandate-tokens/introspect.ts'
import { mandateTokenRoutes } from './mandate-tokens/issue.ts'
import { tokenRevocationRoutes } from './mandate-tokens/revoke.ts'
import { mandateActivationRoutes } from './mandates/activate.ts'
import { backtestRoutes } from './mandates/backtest.ts'
import { mandateRoutes } from './mandates/mandates.ts'
import { mandateTransitionRoutes } from './mandates/transitions.ts'
import { mandateUpdateRoutes } from './mandates/update.ts'
import { mandateVersionRoutes } from './mandates/versions.ts'
import type { GatewaySettings } from './organization/gateway-fields.ts'
import { organizationRoutes } from './organization/organization.ts'
import { transactionChangeRoutes } from './transactions/changes.ts'
import { transactionRoutes } from './transactions/transactions.ts'
import { vendorRoutes } from './vendors/vendors.ts'
import { webhookRoutes } from './webhooks/deliveries.ts'
import { webhookSecretRoutes } from './webhooks/secret.ts'

export interface ApiParts extends Authentication {
  readonly db: Database
  readonly gateway: Gateway
  readonly write: Write
  /** Per path: how an operator force-closes a hold that has no proof of payment. */
  readonly byHand: ReadonlyMap<PathName, EndByHand>
  readonly watch: WatchPrincipal
  /** Called with the time that an approval request has waited. Absent unless metrics are on. */
  readonly onApproval?: ((waitedMs: number) => void) | undefined
  /** The operator's rate limit for the plan self_hosted. Null: unlimited. */
  readonly requestsPerMinute: number | null
  /** For times that are only shown or used as names. */
  readonly now: () => number
  /** For times that change or decide state. */
  readonly clock: DatabaseClock
  readonly tokens: MandateTokens
  /** The gateway's public URL. Undefined if it is not configured. */
  readonly publicUrl: () => string | undefined
  readonly environment: GatewaySettings['environment']
  /** The delays before the retries of a webhook delivery. */
  readonly retryDelaysMs: readonly number[]
  /** Whether a token's audience may be a program on this machine, without https. */
  readonly allowsLoopback: boolean
  readonly sealer: Sealer
  readonly outbound: OutboundClient
  readonly feed: FeedSignal
  readonly answerWatch: AnswerWatch
  readonly logKeys: LogKeys
  /** How many attempts a webhook delivery gets: the first one and its retries. */
  readonly maxAttempts: number
  /** Called after events were queued for delivery. */
  readonly wakeDispatcher: () => void
  /** Called after a task that redelivers failed events has begun. */
  readonly wakeRedeliveries: () => void
}

/** The resources of the API, in the order of its reference. */
const RESOURCES = [
  mandateTokenRoutes,
  introspectionRoutes,
  tokenRevocationRoutes,
  agentRoutes,
  mandateRoutes,
  mandateUpdateRoutes,
  mandateActivationRoutes,
  mandateTransitionRoutes,
  mandateVersionRoutes,
  backtestRoutes,
  transactionRoutes,
  transactionChangeRoutes,
  approvalRoutes,
  approvalDecisionRoutes,
  vendorRoutes,
  apiKeyRoutes,
  apiKeyRevocationRoutes,
  organizationRoutes,
  webhookSecretRoutes,
  webhookRoutes,
  eventRoutes,
  auditLogRoutes,
  auditProofRoutes,
  analyticsRoutes,
]

/** The API routes of a payment path. */
interface PathOfApi {
  routes?(api: App): void
  readonly fields?: PathFields
}

/**
 * Everything under /api/v1: behind a key or a session, and in the OpenAPI document. Payment paths come
 * first.
 */
export async function registerApi(
  app: App,
  parts: ApiParts,
  paths: readonly PathOfApi[],
): Promise<void> {
  const withFields = { ...parts, fields: fieldsOf(paths) }
  await app.register(
    (api, _options, done) => {
      api.addHook('onRoute', (route) => {
        route.config = { ...route.config, isApi: true }
        const { sensitive } = route.config
        if (sensitive && sensitive !== true) {
          route.preHandler = guardChanges(sensitive, parts.now)
        }
      })
      api.addHook('onRequest', (request, reply, done) => {
        const waiting = authenticate(request, reply, parts)
        if (waiting instanceof Promise) waiting.then(() => done(), done)
        else done()
      })
      for (const path of paths) path.routes?.(api.withTypeProvider())
      for (const resource of RESOURCES) resource(api.withTypeProvider(), withFields)
      done()
    },
    { prefix: API_PREFIX },
  )
}

/** The API promises these fields, so a gateway does not start without the path that provides them. */
function fieldsOf(paths: readonly PathOfApi[]): PathFields {
  const fields = paths.find((path) => path.fields !== undefined)?.fields
  assert(fields, 'No payment path provides the field acp of vendors and of the organization.')
  return fields
}
