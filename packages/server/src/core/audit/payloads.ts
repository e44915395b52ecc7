import { commitTo, type LeafSubject, SALT_BYTES } from '@purser/audit'
import { sha256 } from '@purser/audit/node'
import { type Actor, actorText } from '../actor.ts'
import type { Fields } from '../change.ts'
import { toPublicId } from '../id.ts'
import type { Micros } from '../money.ts'
import type { RowState } from './row-state.ts'

// What leaves commit to, but for those of decisions (`decision-leaf.ts`). Each is made from what the
// row of the thing holds for good, so that it can be made again whenever somebody asks for it.

/** An event that is no decision: what became of a transaction, a budget, an approval, a plan. */
export interface EventFacts {
  readonly transactionId: string | null
  readonly agentId: string | null
  readonly mandateId: string | null
  readonly budgetTotal: Micros | null
  readonly budgetSpent: Micros | null
  readonly outcome: object | null
  /** What it left the row as; null in rows of an older gateway, and where there is no row. */
  readonly state?: RowState | null
}

/** Amounts are decimal texts of micros, which are exact whatever reads them. */
export function eventPayload(event: EventFacts): object {
  const { transactionId, mandateId, agentId, budgetTotal, budgetSpent, outcome } = event
  const { state } = event
  return {
    agentId,
    budgetSpentMicros: budgetSpent === null ? null : `${budgetSpent}`,
    budgetTotalMicros: budgetTotal === null ? null : `${budgetTotal}`,
    mandateId: mandateId === null ? null : toPublicId('mnd', mandateId),
    outcome,
    ...(state && { state }),
    transactionId: transactionId === null ? null : toPublicId('txn', transactionId),
  }
}

export interface ChangeFacts {
  readonly actor: Actor
  readonly before: Fields | null
  readonly after: Fields | null
  readonly state?: RowState | null
}

/** The name of whoever did it stands here, and not in the leaf, because it can be removed. */
export function changePayload({ actor, before, after, state }: ChangeFacts): object {
  const named = { id: actorText(actor), name: actor.name }
  return { actor: named, after, before, ...(state && { state }) }
}

export interface Beginning {
  readonly subject: LeafSubject
  readonly payload: object
  readonly salt: Buffer
  readonly commitment: string
}

/** What there was when a log began: how many agents, mandates and versions of these, with a hash of each. */
export type BegunWith = Fields | null

/**
 * The first leaf of a log. It commits to the number in the feed behind which the log begins, and so to
 * how many events and changes there were before, and to what they had led to. They themselves are not
 * proven. That is no secret, so the salt is always the same.
 */
export function beginningOf(
  organizationId: string,
  after: bigint,
  begunWith: BegunWith,
  at: string,
): Beginning {
  const payload = { begunAfter: `${after}`, ...(begunWith && { begunWith }) }
  const salt = Buffer.alloc(SALT_BYTES)
  const subject = toPublicId('org', organizationId)
  return {
    subject: { kind: BEGINNING, subject, at, actorId: null },
    ...{ payload, salt, commitment: commitTo(payload, salt, sha256) ?? '' },
  }
}

export const BEGINNING = 'log.begun'
