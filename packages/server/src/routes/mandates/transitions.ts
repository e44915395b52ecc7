import { Type } from 'typebox'
import { actorText } from '../../core/actor.ts'
import { type Mandate as CoreMandate, changedTerms } from '../../core/mandates/mandate.ts'
import {
  checkBudgetChange,
  checkPlace,
  checkRevocation,
  endOf,
} from '../../core/mandates/mandate-change.ts'
import { widerThanAbove } from '../../core/mandates/narrowing.ts'
import { mandateNotFound } from '../../core/mandates/not-found.ts'
import { toMicros } from '../../core/money.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { App } from '../../http/app.ts'
import { fromPublicId, Money, nullable, toTimestamp } from '../../http/document/schemas.ts'
import { readExpectedStates } from '../../http/expected-state.ts'
import type { Write } from '../../http/idempotency.ts'
import { recordedTransaction } from '../../http/record-change.ts'
import { alwaysStops } from '../../http/stops.ts'
import type { DatabaseClock } from '../../storage/engine/clock.ts'
import type { Database } from '../../storage/engine/database.ts'
import { archiveMandate, deleteDraft, revokeMandates } from '../../storage/mandate-changes.ts'
import { lockDescendants, lockMandate } from '../../storage/mandate-locks.ts'
import { findAncestors, findMandate } from '../../storage/mandates.ts'
import { requireExpectedMandate } from '../require-expected.ts'
import { DELETED_MANDATE_EXAMPLE } from './examples.ts'
import { MandatePath } from './mandates.ts'
import {
  ExpectedMandate,
  Mandate,
  MandateId,
  RevocationInput,
  toMandateShape,
  toWrittenShape,
} from './shape.ts'
import { storeBudget } from './store-mandate-terms.ts'
import { beforeAndAfter, withWarnings } from './terms.ts'

interface TransitionParts {
  readonly db: Database
  readonly write: Write
  readonly clock: DatabaseClock
}

/** The endpoints that end a mandate, and change its budget. */
export function mandateTransitionRoutes(app: App, { db, write, clock }: TransitionParts): void {
  app.route({
    method: 'POST',
    url: '/mandates/:id/revoke',
    schema: {
      operationId: 'revokeMandate',
      summary: 'Revoke an active mandate and its child mandates',
      tags: ['Mandates'],
      params: MandatePath,
      body: nullable(RevocationInput),
      response: { 200: Mandate },
    },
    config: {
      scope: 'mandates:write',
      stops: alwaysStops,
      problems: ['mandate_not_found', 'mandate_state'],
    },
    handler: (request, reply) =>
      write(request, reply, async (tx, record) => {
        const { organizationId, principal, params, body } = request
        const id = fromPublicId('mnd', params.id)
        const below = await lockDescendants(tx, organizationId, [id])
        const [mandate, at] = await Promise.all([findMandate(tx, organizationId, id), clock(tx)])
        if (!mandate) throw mandateNotFound(params.id)
        checkRevocation(mandate, at)
        const by = actorText(principal)
        await revokeMandates(tx, organizationId, [id, ...below], at, by)
        record({
          operation: 'mandate.revoked',
          subjectId: params.id,
          at,
          before: { status: mandate.status },
          after: {
            status: 'revoked',
            subMandates: below.length,
            ...(body?.reason !== undefined && { reason: body.reason }),
          },
        })
        const changed = { revokedAt: at, updatedAt: at, updatedBy: by }
        return toMandateShape({ ...mandate, ...changed, status: 'revoked' }, at)
      }),
  })

  app.route({
    method: 'PATCH',
    url: '/mandates/:id/budget',
    schema: {
      operationId: 'updateMandateBudget',
      summary: 'Change the budget of an active mandate',
      tags: ['Mandates'],
      params: MandatePath,
      body: Type.Object(
        { budgetTotal: Money, ...ExpectedMandate },
        { additionalProperties: false, title: 'BudgetChange', examples: [{ budgetTotal: 250 }] },
      ),
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
        'budget_below_spent',
        'mandate_wider_than_parent',
      ],
    },
    handler: (request, reply) =>
      write(request, reply, async (tx, record) => {
        const { organizationId, principal, params, body } = request
        const id = fromPublicId('mnd', params.id)
        const [before, at, ancestors] = await Promise.all([
          lockMandate(tx, organizationId, id),
          clock(tx),
          findAncestors(tx, organizationId, id),
        ])
        if (!before) throw mandateNotFound(params.id)
        const expected = readExpectedStates(request, body)
        await requireExpectedMandate(tx, organizationId, expected, before)
        const budgetTotal = toMicros(body.budgetTotal)
        checkBudgetChange(before, budgetTotal, at)
        if (budgetTotal === before.budgetTotal) {
          return withWarnings(before, at, widerThanAbove(before, ancestors))
        }
        checkPlace({ ...before, budgetTotal }, ancestors, before)
        const terms = changedTerms(before, { ...before, budgetTotal })
        const told = { operation: 'mandate.budget_changed', subjectId: params.id, at } as const
        record({ ...told, ...beforeAndAfter(terms) })
        const change = { organizationId, changedBy: principal, at, above: ancestors }
        return storeBudget(tx, change, before, { ...before, budgetTotal })
      }),
  })

  app.route({
    method: 'DELETE',
    url: '/mandates/:id',
    schema: {
      operationId: 'deleteMandate',
      summary: 'Delete a draft, or archive a mandate that has ended',
      tags: ['Mandates'],
      params: MandatePath,
      response: {
        200: Type.Object(
          {
            id: MandateId,
            deleted: Type.Boolean({ description: 'Whether a draft was deleted.' }),
            archived: Type.Boolean({ description: 'Whether an ended mandate was archived.' }),
          },
          { title: 'DeletedMandate', examples: [DELETED_MANDATE_EXAMPLE] },
        ),
      },
    },
    config: {
      scope: 'mandates:write',
      problems: ['mandate_not_found', 'mandate_state', 'mandate_has_children'],
    },
    handler: (request) =>
      recordedTransaction(db, request, async (tx, record) => {
        const { organizationId, principal, params } = request
        const id = fromPublicId('mnd', params.id)
        const [mandate, at] = await Promise.all([lockMandate(tx, organizationId, id), clock(tx)])
        if (!mandate) throw mandateNotFound(params.id)
        const isDraft = endOf(mandate, at) === 'delete'
        if (isDraft) await deleteDraft(tx, organizationId, mandate.id)
        else await archiveMandate(tx, organizationId, mandate.id, at, actorText(principal))
        record({ subjectId: params.id, at, ...endRecord(mandate, isDraft, at) })
        return { id: params.id, deleted: isDraft, archived: !isDraft }
      }),
  })
}

/** The change record is all that remains of a deleted draft. */
function endRecord(mandate: CoreMandate, isDraft: boolean, at: Instant) {
  const { archivedAt } = mandate
  if (isDraft) {
    const before = toWrittenShape(mandate, at)
    return { operation: 'mandate.deleted', before, after: null } as const
  }
  return {
    operation: 'mandate.archived',
    before: { archivedAt: toTimestamp(archivedAt) },
    after: { archivedAt: toTimestamp(archivedAt ?? at) },
  } as const
}
