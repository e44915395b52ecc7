import type { LeafSubject } from '@purser/audit'
import { actorText } from '../actor.ts'
import { OPERATIONS } from '../change.ts'
import { ADJUSTED, EVENT_KINDS } from '../events/event.ts'
import { toPublicId } from '../id.ts'
import { type Instant, toIso } from '../time/instant.ts'
import { type DecisionFacts, decisionText } from './decision-leaf.ts'
import {
  BEGINNING,
  type ChangeFacts,
  changePayload,
  type EventFacts,
  eventPayload,
} from './payloads.ts'

/** The source of a leaf: the row of an event or of a change. */
export type Source = EventSource | ChangeSource

interface SourceRow {
  /** Its number in the organization's feed, and so its place in the audit log. */
  readonly number: bigint
  readonly at: Instant
  /** Null once its content has been removed or altered. */
  readonly salt: Buffer | null
  /** Null in a row of an older gateway. */
  readonly commitment: Buffer | null
}

export interface EventSource extends SourceRow, EventFacts {
  readonly type: 'event'
  readonly id: string
  readonly kind: string
}

export interface ChangeSource extends SourceRow, ChangeFacts {
  readonly type: 'change'
  readonly operation: string
  readonly subjectId: string
}

type EventAbout = Pick<EventSource, 'kind' | 'mandateId' | 'transactionId' | 'outcome'>

/** The kinds of changes have a prefix, because some have the names of events that they cause. */
export const CHANGE = 'change.'

/** All kinds of leaves. */
export const LEAF_KINDS: readonly string[] = [
  BEGINNING,
  ...EVENT_KINDS,
  ADJUSTED,
  ...OPERATIONS.map((operation) => `${CHANGE}${operation}`),
]

/** The public part of the leaf. */
export function subjectOf(organizationId: string, source: Source): LeafSubject {
  const at = toIso(source.at)
  if (source.type === 'change') {
    const { operation, subjectId: subject, actor } = source
    return { kind: `${CHANGE}${operation}`, subject, at, actorId: actorText(actor) }
  }
  const { kind } = source
  const actorId = isDecision(source) ? source.agentId : null
  return { kind, subject: eventSubject(organizationId, source), at, actorId }
}

/** Whether this is the event of a decision itself, which has the id of its transaction. */
export function isDecision(source: Source): source is EventSource {
  return source.type === 'event' && source.id === source.transactionId
}

/** The payload that the leaf commits to. Undefined for a decision whose details have been removed. */
export function payloadOf(source: Source, decision: DecisionFacts | undefined): unknown {
  if (source.type === 'change') return changePayload(source)
  if (!isDecision(source)) return eventPayload(source)
  return decision && JSON.parse(decisionText(decision))
}

/** The id of the approval, mandate or transaction that the event is about, else of the organization. */
export function eventSubject(
  organizationId: string,
  { kind, mandateId, transactionId, outcome }: EventAbout,
): string {
  if (kind.startsWith('approval.') && outcome && 'approvalId' in outcome) {
    return String(outcome.approvalId)
  }
  if (kind.startsWith('mandate.') && mandateId !== null) return toPublicId('mnd', mandateId)
  if (transactionId !== null) return toPublicId('txn', transactionId)
  return toPublicId('org', organizationId)
}
