import { commitTo, type LeafSubject, SALT_BYTES } from '@purser/audit'
import { sha256 } from '@purser/audit/node'
import { type Actor, actorText } from '../actor.ts'
import type { Fields } from '../change.ts'
import { toPublicId } from '../id.ts'
import type { Micros } from '../money.ts'
import type { RowState } from './row-state.ts'

// The payloads that leaves commit to, except those of decisions (`decision-leaf.ts`). Each is built
// from permanent columns of its row, so that it can be built again at any time.

/** An event that is not a decision: about a transaction's outcome, a budget, an approval or a plan. */
export interface EventFacts {
  readonly transactionId: string | null
  readonly agentId: string | null
  readonly mandateId: string | null
  readonly budgetTotal: Micros | null
  readonly budgetSpent: Micros | null
  readonly outcome: object | null
  /** The state of the row after the event; null in rows of an older gateway, and if there is no row. */
  readonly state?: RowState | null
}

/** Amounts are decimal strings of micros, which every reader parses exactly. */
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

/** The actor's name is here and not in the leaf, because the payload can be removed. */
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

/**
 * The state when the audit log began: the number of agents, mandates and mandate versions, with a hash
 * of each.
 */
export type BegunWith = Fields | null

/**
 * The first leaf of an audit log. It commits to the feed number after which the audit log begins, and
 * so to the number of earlier events and changes, and to the state that they led to. They themselves
 * are not proven. None of this is secret, so the salt is always the same.
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
