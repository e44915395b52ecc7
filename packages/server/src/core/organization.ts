import type { EventKind } from './events/event.ts'
import type { Micros } from './money.ts'
import type { Plan } from './plan.ts'
import type { Retention } from './retention.ts'
import type { Instant } from './time/instant.ts'

export interface Organization {
  readonly id: string
  readonly name: string
  readonly plan: Plan
  readonly timezone: string
  readonly currency: string
  /** The kill switch: while it is on, no spend of any agent is approved. */
  readonly frozen: boolean
  /** Null while it is not frozen, and if it was not stored. */
  readonly frozenAt: Instant | null
  /** The text of `actorText`. */
  readonly frozenBy: string | null
  readonly frozenReason: string | null
  readonly webhookUrl: string | null
  /** The kinds of events that it receives; null means the kinds of the specification. */
  readonly webhookEvents: readonly EventKind[] | null
  /** The kinds of all endpoints together; null unless there is, or was, more than the first one. */
  readonly webhookKinds: readonly EventKind[] | null
  /** Whether the gateway may call sellers for agents. */
  readonly callsSellers: boolean
  /** Whether an approval request must be answered by a person other than the requester. */
  readonly requiresFourEyes: boolean
  /** Above this amount, approving a request needs the person's password; null: never. */
  readonly passwordAbove: Micros | null
  readonly webhookSecretHint: string
  readonly webhookSecretRotatedAt: Instant
  /** Until when the previous secret also signs; null if the last rotation gave it no time. */
  readonly webhookPreviousSecretUntil: Instant | null
  readonly retention: Retention
  readonly createdAt: Instant
  /** Different after every change, so that callers can name the state that they expect. */
  readonly updatedAt: Instant
  /** The text of `actorText`; null if it was not stored. */
  readonly updatedBy: string | null
}
