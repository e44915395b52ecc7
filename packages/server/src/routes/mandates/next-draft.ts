import type { FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { invalidFields, Problem } from '../../base/errors.ts'
import { actorText } from '../../core/actor.ts'
import { toPublicId } from '../../core/id.ts'
import type { Mandate as CoreMandate } from '../../core/mandates/mandate.ts'
import { checkNextVersion, checkPlace, checkTerms } from '../../core/mandates/mandate-change.ts'
import { widerThanAbove } from '../../core/mandates/narrowing.ts'
import { mandateNotFound } from '../../core/mandates/not-found.ts'
import { fromPublicId } from '../../http/document/schemas.ts'
import type { RecordChange } from '../../http/record-change.ts'
import { lockAgent } from '../../storage/agents.ts'
import type { DatabaseClock } from '../../storage/engine/clock.ts'
import type { Tx } from '../../storage/engine/database.ts'
import { insertMandate } from '../../storage/mandate-changes.ts'
import { lockMandate } from '../../storage/mandate-locks.ts'
import { countDraftsOf, findAncestors, findMandate } from '../../storage/mandates.ts'
import { newId } from '../../storage/new-id.ts'
import { type MandateInput, toWrittenShape } from './shape.ts'
import { toChange, withWarnings } from './terms.ts'

/** Enough for every person who works on a mandate. */
const DRAFTS_MAX = 10

interface DraftRequest extends Pick<FastifyRequest, 'organizationId' | 'principal'> {
  readonly draftOf: string
  readonly body: Static<typeof MandateInput>
}

/** `POST /mandates {draftOf}`: stores a draft of the next version of an active mandate. */
export async function createNextDraft(
  tx: Tx,
  record: RecordChange,
  { organizationId, principal, draftOf, body }: DraftRequest,
  clock: DatabaseClock,
) {
  const id = fromPublicId('mnd', draftOf)
  const found = await findMandate(tx, organizationId, id)
  if (!found) throw mandateNotFound(draftOf)
  refuseFixed(body, found)
  // The agent is locked before its mandates. The lock of the mandate makes the count of drafts exact.
  await lockAgent(tx, organizationId, found.agentId)
  const [base = found, at, ancestors] = await Promise.all([
    lockMandate(tx, organizationId, id),
    clock(tx),
    findAncestors(tx, organizationId, id),
  ])
  checkNextVersion(base, at)
  if ((await countDraftsOf(tx, organizationId, base)) >= DRAFTS_MAX) throw tooManyDrafts(draftOf)
  const { name, rules, validUntil, budgetTotal, warningPercents, discloseLimits } = body
  const given = { name, rules, validUntil, budgetTotal, warningPercents, discloseLimits }
  const named = Object.fromEntries(Object.entries(given).filter(([, one]) => one !== undefined))
  const mandate: CoreMandate = {
    ...base,
    ...toChange(named, ancestors[0]),
    id: newId(at),
    status: 'draft',
    version: 1,
    draftOf: base.id,
    draftOfVersion: base.version,
    origins: null,
    budgetSpent: 0n,
    budgetHeld: 0n,
    spentPeriodStart: null,
    createdAt: at,
    activatedAt: null,
    updatedAt: at,
    updatedBy: actorText(principal),
  }
  checkTerms(mandate, at)
  checkPlace(mandate, ancestors, base)
  await insertMandate(tx, organizationId, mandate, ancestors, principal)
  const [subjectId, after] = [toPublicId('mnd', mandate.id), toWrittenShape(mandate, at)]
  record({ operation: 'mandate.created', subjectId, at, before: null, after })
  return withWarnings(mandate, at, widerThanAbove(mandate, ancestors))
}

/** An active mandate keeps these terms, so a draft of its next version cannot name others. */
function refuseFixed(body: Static<typeof MandateInput>, base: CoreMandate): void {
  const { agentId, parentMandateId, currency, timezone, validFrom, budgetPeriod } = body
  const others = { parentMandateId, currency, timezone, validFrom, budgetPeriod }
  const message = 'cannot be combined with draftOf: the next version keeps that of the mandate'
  const errors = Object.entries({
    agentId: agentId === base.agentId ? undefined : agentId,
    ...others,
  })
    .filter(([, value]) => value !== undefined)
    .map(([field]) => ({ path: `/${field}`, code: 'not_allowed', message }))
  if (errors.length > 0) throw invalidFields(errors)
}

function tooManyDrafts(draftOf: string): Problem {
  return new Problem(
    'draft_limit_reached',
    `Mandate ${draftOf} already has ${DRAFTS_MAX} drafts of its next version. Activate or delete one of them.`,
    { extra: { limit: DRAFTS_MAX } },
  )
}
