import { invalidFields, Problem } from '../base/errors.ts'
import {
  type Answer,
  type Approval,
  type ApprovalDecision,
  usableMs,
} from '../core/approvals/approval.ts'
import { type AnswerTerms, needsPassword } from '../core/approvals/four-eyes.ts'
import { type ApprovalStatus, approvalStatusAt } from '../core/approvals/permit.ts'
import type { NewChange } from '../core/change.ts'
import { decidedData } from '../core/events/approval-event.ts'
import { toPublicId } from '../core/id.ts'
import { type Micros, showMoney, toUnits } from '../core/money.ts'
import { isMember } from '../core/people/member-principal.ts'
import type { Principal } from '../core/principal.ts'
import { type Instant, toIso } from '../core/time/instant.ts'
import { readAnswerTerms } from '../storage/approvals/answer-terms.ts'
import { listApprovalDecisions } from '../storage/approvals/context.ts'
import {
  type Answered,
  answerApprovals,
  lockApprovals,
  makeVendorsKnown,
  storeApprovalDecision,
} from '../storage/approvals/decisions.ts'
import type { DatabaseClock } from '../storage/engine/clock.ts'
import type { Statement, Tx } from '../storage/engine/database.ts'
import { newId } from '../storage/new-id.ts'
import { requireAsker } from '../storage/spending-stops.ts'
import { toApprovalEvent } from '../storage/webhooks/approval-events.ts'
import {
  readSubscription,
  type Subscription,
  tellEvents,
  untoldUnless,
} from '../storage/webhooks/subscriptions.ts'
import { type RefuseOwn, readFourEyes } from './four-eyes.ts'
import { isOwnRequest, makersOf } from './own-requests.ts'

/** The decision of a person on one or several requests. */
export interface Answering {
  readonly organizationId: string
  readonly actor: Principal
  readonly ids: readonly string[]
  readonly decision: Answer
  readonly comment: string | null
  /** The largest approved amount; undefined means the requested amount. */
  readonly maxAmount: Micros | undefined
  /** The problem to return if the decision needs a recent password check and there was none. */
  readonly withoutPassword: Problem | undefined
}

/** The result for each request, in the order of the ids. */
export type Outcome =
  | { readonly id: string; readonly approval: Approval }
  | { readonly id: string; readonly problem: Problem }

/**
 * Decides requests independently: a failure for one does not affect the others. The locks make sure
 * that of two concurrent decisions the second sees the first (ADR 42).
 */
export async function decideApprovals(
  tx: Tx,
  clock: DatabaseClock,
  answering: Answering,
  record: (change: NewChange) => void,
): Promise<Outcome[]> {
  const { organizationId, actor, ids } = answering
  const [, terms, locked, now, subscription, makers] = await Promise.all([
    requireAsker(tx, actor, 'approvals:write'),
    readAnswerTerms(tx, organizationId),
    lockApprovals(tx, organizationId, ids),
    clock(tx),
    readSubscription(tx, organizationId),
    makersOf(tx, actor),
  ])
  const refuseOwn = terms.requiresFourEyes ? await readFourEyes(tx, actor, locked) : undefined
  const heard = { ...answering, makers, terms, refuseOwn }
  const outcomes = await Promise.all(
    ids.map(async (id): Promise<Outcome> => {
      const approval = locked.find((row) => row.id === id)
      if (!approval) return { id, problem: approvalNotFound(id) }
      const problem = await refusalOf(tx, heard, approval, now)
      return problem ? { id, problem } : { id, approval: toAnswered(answering, approval, now) }
    }),
  )
  const answered = outcomes.flatMap((outcome) => ('approval' in outcome ? [outcome.approval] : []))
  if (answered.length > 0) {
    store(tx, answering, answered, now)
    for (const approval of answered) record(toChange(answering, approval, now))
    for (const told of eventsOf(answering, answered, subscription, now)) tx.sendLast(told)
  }
  return outcomes
}

function toChange(
  { comment }: Answering,
  { id, status, maxAmount }: Approval,
  at: Instant,
): NewChange {
  return {
    operation: 'approval.decided',
    subjectId: toPublicId('apr', id),
    at,
    before: { status: 'pending', comment: null, maxAmount: null },
    after: { status, comment, maxAmount: maxAmount === null ? null : toUnits(maxAmount) },
  }
}

function eventsOf(
  { organizationId, actor, decision, comment }: Answering,
  answered: readonly Approval[],
  subscription: Subscription,
  now: Instant,
): Statement[] {
  const events = answered.map((approval) => {
    const { kind: actorKind, id: actorId, name: actorName } = actor
    const actorEmail = isMember(actor) ? actor.email : null
    const by = { actorKind, actorId, actorName, actorEmail }
    const said = { decision, ...by, comment, maxAmount: approval.maxAmount }
    const event = toApprovalEvent('approval.decided', approval, decidedData(approval, said), now)
    return { ...event, ...untoldUnless(subscription, 'approval.decided') }
  })
  return tellEvents(organizationId, now, events, subscription)
}

export function approvalNotFound(id: string): Problem {
  const name = toPublicId('apr', id)
  return new Problem('approval_not_found', `Approval ${name} does not exist in this organization.`)
}

/** The decision, with the facts that determine whether its author may make it. */
interface Heard extends Answering {
  /** The deciding key and the keys that created it, or the deciding member. */
  readonly makers: readonly string[]
  readonly terms: AnswerTerms
  /** Undefined if the organization does not require four eyes. */
  readonly refuseOwn: RefuseOwn | undefined
}

async function refusalOf(
  tx: Tx,
  heard: Heard,
  approval: Approval,
  now: Instant,
): Promise<Problem | undefined> {
  const { organizationId, maxAmount, makers, refuseOwn } = heard
  // Checked first, because its message explains the reason and names the roles that can decide.
  const own = refuseOwn?.(approval)
  if (own) return own
  if (isOwnRequest(approval, makers)) return ownRequest()
  const status = approvalStatusAt(approval, now)
  if (status !== 'pending') {
    const [first] = await listApprovalDecisions(tx, organizationId, [approval.id])
    return alreadyDecided(approval.id, status, first)
  }
  if (maxAmount === undefined || maxAmount <= approval.amount) {
    return missingPassword(heard, approval)
  }
  const asked = showMoney(approval.amount, approval.currency)
  const message = `must be at most the requested amount, ${asked}`
  return invalidFields([{ path: '/maxAmount', code: 'range', message }])
}

/** A rejection needs no password: stopping a spend must be instant. */
function missingPassword(
  { decision, maxAmount, terms, withoutPassword }: Heard,
  { amount, currency }: Approval,
): Problem | undefined {
  const approved = { amount: maxAmount ?? amount, currency }
  return decision === 'approve' && needsPassword(terms, approved) ? withoutPassword : undefined
}

function ownRequest(): Problem {
  return new Problem(
    'approval_own_request',
    'You requested this approval: the spend was sent by this key or member, or by the key or member that created this key. Another person must decide.',
  )
}

function alreadyDecided(
  id: string,
  approvalStatus: ApprovalStatus,
  first: ApprovalDecision | undefined,
): Problem {
  const name = toPublicId('apr', id)
  const detail = first
    ? `Approval ${name} was already ${first.decision === 'approve' ? 'approved' : 'rejected'} by ${first.actorName}; the first decision stands.`
    : `Approval ${name} expired without a decision. The agent can ask again.`
  const extra = {
    approvalStatus,
    decision: first?.decision ?? null,
    decidedBy: first?.actorName ?? null,
    decidedAt: first ? toIso(first.decidedAt) : null,
    comment: first?.comment ?? null,
  }
  return new Problem('approval_decided', detail, { extra })
}

function toAnswered(answering: Answering, approval: Approval, now: Instant): Approval {
  if (answering.decision === 'reject') return { ...approval, status: 'rejected' }
  const maxAmount = answering.maxAmount ?? approval.amount
  return { ...approval, status: 'approved', maxAmount, expiresAt: now + usableMs(approval) }
}

function store(
  tx: Tx,
  { organizationId, actor, decision, comment }: Answering,
  answered: readonly Approval[],
  now: Instant,
): void {
  const rows = answered.map(({ id, maxAmount, expiresAt }): Answered => {
    const status = decision === 'approve' ? 'approved' : 'rejected'
    return { id, status, maxAmount, expiresAt }
  })
  tx.send(answerApprovals(organizationId, rows))
  for (const { id: approvalId, maxAmount } of answered) {
    const said = { decision, actorKind: actor.kind, actorId: actor.id, actorName: actor.name }
    const row = { ...said, id: newId(now), approvalId, comment, maxAmount, decidedAt: now }
    tx.send(storeApprovalDecision(organizationId, row))
  }
  const known = decision === 'approve' ? answered.filter(({ makesKnown }) => makesKnown) : []
  if (known.length > 0) tx.send(makeVendorsKnown(organizationId, now, known))
}
