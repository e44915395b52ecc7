import type { FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { laterThan } from '../../core/changed-meanwhile.ts'
import {
  type Mandate as CoreMandate,
  changedTerms,
  type TermChange,
} from '../../core/mandates/mandate.ts'
import { checkEditable, checkPlace, checkTerms } from '../../core/mandates/mandate-change.ts'
import { widerThanAbove } from '../../core/mandates/narrowing.ts'
import { mandateNotFound } from '../../core/mandates/not-found.ts'
import { namesVendorHistory } from '../../core/mandates/policy.ts'
import type { Gateway } from '../../gateway/gateway.ts'
import { isBeingCounted } from '../../gateway/past/count-past.ts'
import type { App } from '../../http/app.ts'
import { requireReauthentication } from '../../http/auth/reauthentication.ts'
import { fromPublicId } from '../../http/document/schemas.ts'
import { readExpectedStates } from '../../http/expected-state.ts'
import type { Write } from '../../http/idempotency.ts'
import type { DatabaseClock } from '../../storage/engine/clock.ts'
import type { Tx } from '../../storage/engine/database.ts'
import { lockForVendorRules, lockMandate } from '../../storage/mandate-locks.ts'
import { findAncestors } from '../../storage/mandates.ts'
import { requireExpectedMandate } from '../require-expected.ts'
import { MandatePath } from './mandates.ts'
import { Mandate, MandateChange } from './shape.ts'
import { storeTerms } from './store-mandate-terms.ts'
import { beforeAndAfter, toChange, withWarnings } from './terms.ts'

interface UpdateParts {
  readonly gateway: Gateway
  readonly write: Write
  readonly now: () => number
  readonly clock: DatabaseClock
}

/** `PATCH /mandates/:id`: rewrites a draft, or adds the next version of an active mandate. */
export function mandateUpdateRoutes(app: App, { gateway, write, now, clock }: UpdateParts): void {
  app.route({
    method: 'PATCH',
    url: '/mandates/:id',
    schema: {
      operationId: 'updateMandate',
      summary: 'Edit a draft, or create a new version of an active mandate',
      description:
        'A draft can be changed freely. For an active mandate, only `name`, `rules`, `validUntil`, `warningPercents` and `discloseLimits` can change, and the response has the new version.',
      tags: ['Mandates'],
      params: MandatePath,
      body: MandateChange,
      response: { 200: Mandate },
    },
    config: {
      scope: 'mandates:write',
      sensitive: [
        { field: 'rules', when: '(changed, while the mandate is active)' },
        { field: 'validUntil', when: '(later or null, while the mandate is active)' },
      ],
      ifMatch: 'version',
      problems: [
        'mandate_not_found',
        'mandate_state',
        'changed_meanwhile',
        'mandate_wider_than_parent',
        'expressions_too_costly',
      ],
    },
    handler: async (request, reply) => {
      const answer = await write(request, reply, async (tx, record) => {
        const { organizationId, principal, params } = request
        const { expectedVersion: _, expectedUpdatedAt: __, ...body } = request.body
        const { before, at, ancestors } = await lockForUpdate(tx, request)
        checkEditable(before, Object.keys(body), at)
        const changed: CoreMandate = { ...before, ...toChange(body, ancestors[0]) }
        const terms = changedTerms(before, changed)
        if (terms.length === 0) {
          return withWarnings(before, at, widerThanAbove(before, ancestors))
        }
        if (needsPassword(before, changed, terms)) requireReauthentication(principal, now())
        checkTerms(changed, at)
        checkPlace(changed, ancestors, before)
        record({ operation: 'mandate.updated', subjectId: params.id, at, ...beforeAndAfter(terms) })
        const change = { organizationId, changedBy: principal, at, above: ancestors }
        return storeTerms(tx, change, before, changed)
      })
      if (isBeingCounted(answer.warnings)) gateway.countPast()
      return answer
    },
  })

  async function lockForUpdate(tx: Tx, request: UpdateRequest) {
    const { organizationId, params, body } = request
    const id = fromPublicId('mnd', params.id)
    const lock = namesVendorHistory(body.rules) ? lockForVendorRules : lockMandate
    const [before, at, ancestors] = await Promise.all([
      lock(tx, organizationId, id),
      clock(tx),
      findAncestors(tx, organizationId, id),
    ])
    if (!before) throw mandateNotFound(params.id)
    const expected = readExpectedStates(request, body)
    await requireExpectedMandate(tx, organizationId, expected, before)
    const isDraft = before.status === 'draft'
    return { before, at: isDraft ? laterThan(before.updatedAt, at) : at, ancestors }
  }
}

interface UpdateRequest extends Pick<FastifyRequest, 'organizationId' | 'headers'> {
  readonly params: Static<typeof MandatePath>
  readonly body: Static<typeof MandateChange>
}

/**
 * A wider rule or a later end is as sensitive as a larger budget. Drafts are exempt: no spend is
 * judged by a draft, and activating it needs the password.
 */
function needsPassword(
  before: CoreMandate,
  changed: CoreMandate,
  terms: readonly TermChange[],
): boolean {
  if (before.status === 'draft') return false
  const [end, newEnd] = [before.validUntil ?? Infinity, changed.validUntil ?? Infinity]
  return newEnd > end || terms.some(({ field }) => field.startsWith('rules.'))
}
