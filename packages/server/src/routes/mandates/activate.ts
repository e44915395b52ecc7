import type { FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { Problem } from '../../base/errors.ts'
import { actorText } from '../../core/actor.ts'
import { toPublicId } from '../../core/id.ts'
import { type Mandate as CoreMandate, statusAt } from '../../core/mandates/mandate.ts'
import { checkActivation } from '../../core/mandates/mandate-change.ts'
import { widerThanAbove } from '../../core/mandates/narrowing.ts'
import { mandateNotFound } from '../../core/mandates/not-found.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { Gateway } from '../../gateway/gateway.ts'
import { isBeingCounted, learnWithMandate } from '../../gateway/past/count-past.ts'
import type { App } from '../../http/app.ts'
import { fromPublicId, nullable } from '../../http/document/schemas.ts'
import { readExpectedStates } from '../../http/expected-state.ts'
import type { Write } from '../../http/idempotency.ts'
import type { RecordChange } from '../../http/record-change.ts'
import { lockAgent } from '../../storage/agents.ts'
import type { DatabaseClock } from '../../storage/engine/clock.ts'
import type { Database, Tx } from '../../storage/engine/database.ts'
import { activateMandate, revokeMandates } from '../../storage/mandate-changes.ts'
import {
  lockDescendants,
  lockForActivation,
  lockForReplacement,
} from '../../storage/mandate-locks.ts'
import { findAncestors, findMandate, findRival } from '../../storage/mandates.ts'
import { requireExpectedMandate } from '../require-expected.ts'
import { activateNextVersion } from './activate-next.ts'
import { MandatePath } from './mandates.ts'
import { ActivationInput, Mandate } from './shape.ts'
import { withWarnings } from './terms.ts'

interface ActivationParts {
  readonly db: Database
  readonly gateway: Gateway
  readonly write: Write
  readonly clock: DatabaseClock
}

interface ActivationRequest
  extends Pick<FastifyRequest, 'organizationId' | 'principal' | 'headers'> {
  readonly params: Static<typeof MandatePath>
  readonly body: Static<typeof ActivationInput> | null
}

/** `POST /mandates/:id/activate`. */
export function mandateActivationRoutes(
  app: App,
  { db, gateway, write, clock }: ActivationParts,
): void {
  app.route({
    method: 'POST',
    url: '/mandates/:id/activate',
    schema: {
      operationId: 'activateMandate',
      summary: 'Activate a draft mandate',
      description:
        "An agent has at most one active mandate. With `replace`, the gateway revokes the agent's active mandate and its child mandates, and activates this one, in one step: there is no time without a mandate, and if the activation is refused, the active mandate stays. Exception: if this mandate has a `validFrom` in the future, the old one still ends at once, and the gateway rejects all spends of the agent until `validFrom`. A draft with `draftOf` becomes the next version of that mandate, which the response shows, and the draft is removed. This needs the version that the draft was made from, or the current version as `expectedVersion`.",
      tags: ['Mandates'],
      params: MandatePath,
      body: nullable(ActivationInput),
      response: { 200: Mandate },
    },
    config: {
      scope: 'mandates:write',
      sensitive: true,
      ifMatch: 'version',
      problems: [
        'mandate_not_found',
        'mandate_state',
        'changed_meanwhile',
        'mandate_conflict',
        'parent_not_active',
        'budget_below_spent',
        'mandate_wider_than_parent',
      ],
    },
    handler: async (request, reply) => {
      const writing = write(request, reply, (tx, record) => activate(tx, record, request))
      const answer = await writing.catch(async (error: unknown) => {
        throw await withActiveMandate(db, request.organizationId, request.params.id, error)
      })
      // A next version may have new rules, which count earlier spends, as after a PATCH.
      const isNext = answer.id !== request.params.id
      if (isNext && isBeingCounted(answer.warnings)) gateway.countPast()
      return answer
    },
  })

  async function activate(tx: Tx, record: RecordChange, request: ActivationRequest) {
    const { organizationId, principal, params, body } = request
    const id = fromPublicId('mnd', params.id)
    if (body?.replace) await lockAgentOf(tx, organizationId, id)
    const lock = body?.replace ? lockForReplacement : lockForActivation
    const [draft, at, above] = await Promise.all([
      lock(tx, organizationId, id),
      clock(tx),
      findAncestors(tx, organizationId, id),
    ])
    if (!draft) throw mandateNotFound(params.id)
    const expected = readExpectedStates(request, body)
    const { draftOf: baseId } = draft
    if (baseId !== null) {
      const next = { organizationId, principal, draft, baseId, above, expected, at }
      return activateNextVersion(tx, record, next)
    }
    await requireExpectedMandate(tx, organizationId, expected, draft)
    checkActivation(draft, above[0], at)
    const by = actorText(principal)
    const replaced = body?.replace ? await revokeActive(tx, record, { ...request, id, at }) : null
    await activateMandate(tx, organizationId, draft, at, by)
    const warnings = await learnWithMandate(tx, organizationId, [draft, ...above], at)
    const changed = { activatedAt: at, updatedAt: at, updatedBy: by }
    const active: CoreMandate = { ...draft, ...changed, status: 'active' }
    record({
      operation: 'mandate.activated',
      subjectId: params.id,
      at,
      before: { status: draft.status },
      after: { status: active.status, version: active.version, ...(replaced && { replaced }) },
    })
    return withWarnings(active, at, [...widerThanAbove(active, above), ...warnings])
  }
}

/** Locks the agent first, so that replacements of its mandate come one after the other. */
async function lockAgentOf(tx: Tx, organizationId: string, id: string): Promise<void> {
  const mandate = await findMandate(tx, organizationId, id)
  if (mandate) await lockAgent(tx, organizationId, mandate.agentId)
}

interface Replacement extends Pick<FastifyRequest, 'organizationId' | 'principal'> {
  /** The mandate to activate. */
  readonly id: string
  readonly at: Instant
}

/**
 * Revokes the agent's active mandate and its child mandates. Returns its id for the record; null if the
 * agent has none. A mandate past its end is left to the activation, which sets it to `expired`.
 */
async function revokeActive(
  tx: Tx,
  record: RecordChange,
  { organizationId, principal, id, at }: Replacement,
): Promise<string | null> {
  const rival = await findRival(tx, organizationId, id)
  if (rival === undefined) return null
  const [below, mandate] = await Promise.all([
    lockDescendants(tx, organizationId, [rival]),
    findMandate(tx, organizationId, rival),
  ])
  if (!mandate || statusAt(mandate, at) !== 'active') return null
  await revokeMandates(tx, organizationId, [rival, ...below], at, actorText(principal))
  const subjectId = toPublicId('mnd', rival)
  record({
    operation: 'mandate.revoked',
    subjectId,
    at,
    before: { status: mandate.status },
    after: {
      status: 'revoked',
      subMandates: below.length,
      replacedBy: toPublicId('mnd', id),
    },
  })
  return subjectId
}

/**
 * Names the mandate that blocks an activation. The database refuses a second active mandate within the
 * transaction, which can then run no further statement.
 */
async function withActiveMandate(
  db: Database,
  organizationId: string,
  draftId: string,
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof Problem) || error.code !== 'mandate_conflict') return error
  const active = await findRival(db, organizationId, fromPublicId('mnd', draftId))
  if (active === undefined) return error
  const activeMandateId = toPublicId('mnd', active)
  return new Problem(
    'mandate_conflict',
    `The agent already has the active mandate ${activeMandateId}. Revoke it before you activate this one, or send "replace": true to do both in one step.`,
    { extra: { activeMandateId }, cause: error },
  )
}
