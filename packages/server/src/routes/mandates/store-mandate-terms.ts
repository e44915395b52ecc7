import { type Author, actorText } from '../../core/actor.ts'
import { eventsBetween } from '../../core/decision/budget-events.ts'
import { budgetAt, type Mandate } from '../../core/mandates/mandate.ts'
import { narrowingErrors, widerThanAbove } from '../../core/mandates/narrowing.ts'
import type { Warning } from '../../core/rules/warnings.ts'
import type { Instant } from '../../core/time/instant.ts'
import { countPast } from '../../gateway/past/count-past.ts'
import type { Tx } from '../../storage/engine/database.ts'
import { updateMandateTerms } from '../../storage/mandate-changes.ts'
import { lockDescendants } from '../../storage/mandate-locks.ts'
import { findMandates } from '../../storage/mandates.ts'
import { newId } from '../../storage/new-id.ts'
import { readSubscription, tellEvents } from '../../storage/webhooks/subscriptions.ts'
import { withWarnings } from './terms.ts'

interface Change {
  readonly organizationId: string
  readonly changedBy: Author
  /** The database's time, read after the mandate was locked. */
  readonly at: Instant
  /** The parent mandates. */
  readonly above: readonly Mandate[]
}

/**
 * Stores changed terms: rewrites a draft, or adds the next version of an active mandate. A parent can
 * always be narrowed, because that may be urgent, even if a child then states more than the parent
 * allows. No money leaks: the parent's rules and budget apply to every spend of the child too. The
 * response warns about such children. Only an earlier end is written into them, so that they show when
 * they really end.
 */
export async function storeTerms(tx: Tx, change: Change, before: Mandate, terms: Mandate) {
  const { organizationId, changedBy, at } = change
  const after = nextVersion(terms, change)
  const ids = await lockDescendants(tx, organizationId, [after.id])
  const below = await findMandates(tx, organizationId, ids)
  const { origins, warnings } = await countPast(tx, { organizationId, before, after, below, at })
  const mandate = { ...after, origins }
  await updateMandateTerms(tx, organizationId, mandate, changedBy, newPeriodOf(terms, at))

  const open = below.filter(isOpen)
  for (const child of open) {
    if (!outlives(child, mandate)) continue
    const clamped = nextVersion({ ...child, validUntil: mandate.validUntil }, change)
    await updateMandateTerms(tx, organizationId, clamped, changedBy, newPeriodOf(child, at))
  }
  const ofFamily = [...widerThanAbove(mandate, change.above), ...widerChildren(mandate, open)]
  return withWarnings(mandate, at, [...ofFamily, ...warnings])
}

/**
 * Stores changed terms of an active mandate, with its budget. A smaller budget can cross a threshold
 * just as a spend can, and raises the same events.
 */
export async function storeBudget(tx: Tx, change: Change, before: Mandate, terms: Mandate) {
  const { organizationId, at } = change
  const { budgetTotal } = terms
  const answer = await storeTerms(tx, change, before, terms)
  const { spent } = budgetAt(before, at)
  const from = { spent, total: before.budgetTotal }
  const watched = {
    mandateId: before.id,
    agentId: before.agentId,
    warningPercents: terms.warningPercents.map(BigInt),
  }
  const crossed = eventsBetween(watched, from, { spent, total: budgetTotal })
  if (crossed.length === 0) return answer
  const subscription = await readSubscription(tx, organizationId)
  const events = crossed.map((event) => ({
    ...event,
    id: newId(at),
    transactionId: null,
    outcome: null,
    sample: null,
  }))
  // The response is stored under its idempotency key first, because decisions lock the key before the
  // feed.
  for (const statement of tellEvents(organizationId, at, events, subscription)) {
    tx.sendLast(statement)
  }
  return answer
}

function nextVersion(mandate: Mandate, { at, changedBy }: Change): Mandate {
  const version = mandate.status === 'draft' ? mandate.version : mandate.version + 1
  return { ...mandate, version, updatedAt: at, updatedBy: actorText(changedBy) }
}

/** The start of the current period, if the stored amounts belong to a period that has ended. */
function newPeriodOf(mandate: Mandate, at: Instant): Instant | null {
  const { spentPeriodStart } = mandate
  const { periodStart } = budgetAt(mandate, at)
  const isOver = periodStart !== null && spentPeriodStart !== null && spentPeriodStart < periodStart
  return isOver ? periodStart : null
}

function isOpen({ status }: Mandate): boolean {
  return status === 'draft' || status === 'active'
}

function outlives(child: Mandate, parent: Mandate): boolean {
  if (parent.validUntil === null) return false
  return child.validUntil === null || child.validUntil > parent.validUntil
}

function widerChildren(mandate: Mandate, below: readonly Mandate[]): Warning[] {
  const wider = below.filter(
    (child) => narrowingErrors({ ...child, validUntil: mandate.validUntil }, mandate).length > 0,
  )
  if (wider.length === 0) return []
  const names = wider.map((child) => child.name).join(', ')
  return [
    {
      code: 'sub_mandates_wider',
      message: `These child mandates allow more than this mandate does now: ${names}. This mandate's budget and rules still apply to them.`,
      ruleIds: [],
    },
  ]
}
