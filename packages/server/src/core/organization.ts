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
  readonly webhookUrl: string | null
  /** Which kinds of events it is sent; null is the kinds of the specification. */
  readonly webhookEvents: readonly EventKind[] | null
  /** Whether the gateway may call sellers for agents. */
  readonly callsSellers: boolean
  /** Whether another person has to answer requests for approval than the one who asked. */
  readonly requiresFourEyes: boolean
  /** Above it a person gives the password to approve a request; null: never. */
  readonly passwordAbove: Micros | null
  readonly webhookSecretHint: string
  readonly webhookSecretRotatedAt: Instant
  readonly retention: Retention
  readonly createdAt: Instant
  /** As `actorText` shows it; null if it was not kept. */
  readonly updatedBy: string | null
}
