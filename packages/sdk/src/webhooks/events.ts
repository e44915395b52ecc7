import type { WebhookEvent as WebhookBody } from '../generated/types/webhooks.ts'

/** The names of the events that the gateway sends. */
export type WebhookEventName = WebhookBody['event']

/**
 * A verified event. `event` tells the kinds apart, and `data` has the type of that kind. A newer
 * gateway can send further kinds: ignore an `event` that your program does not know.
 */
export type WebhookEvent = WithId<WebhookBody>

type WithId<Body> = Body extends unknown
  ? Body & {
      /**
       * The same in every attempt to deliver the event. Store it and process each id once, because
       * the gateway sends an event again if your answer was lost.
       */
      readonly id: string
    }
  : never
