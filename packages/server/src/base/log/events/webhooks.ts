import { defineEvents } from '../define-events.ts'

/** Deliveries of events. */
export const WEBHOOK_EVENTS = defineEvents({
  'webhooks.delivery_failed': {
    level: 'warn',
    message: 'A webhook delivery failed after its last attempt; not retrying.',
    meaning:
      'The receiver did not accept the event. `statusCode` or `errorClass` says how the last attempt ended. The organization can resend it.',
    action: 'Nothing, unless many organizations are affected: then check outbound traffic.',
  },
  'webhooks.scan_failed': {
    level: 'error',
    message: 'Could not list due webhook deliveries; retrying in 1 s.',
    meaning: 'Deliveries are late until a round succeeds.',
    action: 'Check the database if it repeats.',
  },
  'webhooks.claim_failed': {
    level: 'error',
    message: 'Could not lease the webhook deliveries of an organization; retrying in 1 s.',
    meaning: 'Its deliveries are late. Other organizations are not affected.',
    action: 'Check the database if it repeats, then report the line.',
  },
  'webhooks.fan_out_failed': {
    level: 'error',
    message: 'Could not divide events among the endpoints of an organization; retrying in 1 s.',
    meaning: 'Its deliveries are late. Other organizations are not affected.',
    action: 'Check the database if it repeats, then report the line.',
  },
  'webhooks.endpoint_paused': {
    level: 'warn',
    message:
      'Paused a webhook endpoint because every attempt failed for five days; its deliveries wait until a person resumes it.',
    meaning: 'The console or PATCH /organization resumes it. No delivery is dropped.',
    action: 'Tell the organization, unless it has read the notice in its console.',
  },
  'webhooks.health_not_stored': {
    level: 'warn',
    message: 'Could not note whether a webhook endpoint works; the next attempt notes it.',
    meaning: 'The delivery itself is stored.',
    action: 'Check the database if it repeats.',
  },
  'webhooks.claim_slow': {
    level: 'error',
    message: 'Leasing webhook deliveries took too long; retrying {count} when the lease ends.',
    meaning: 'A lease might have ended during an attempt, so none was sent.',
    action: 'Check the load of the database.',
  },
  'webhooks.attempt_failed': {
    level: 'error',
    message: 'A webhook attempt failed because of a defect; retrying when its lease ends.',
    meaning: 'The event may have been sent; the receiver may get it twice.',
    action: 'Report the line.',
  },
  'webhooks.result_not_stored': {
    level: 'error',
    message: 'Could not store results of webhook attempts; retrying every second.',
    meaning:
      'While the database is away, the line is logged once per write, and not for each retry. If the database refuses a write, the results of each organization are tried by themselves, with a line for each refusal, and given up after 3 unless the reason passes, as a lock does. A process that stops tries 3 times more. Attempts that are given up count as interrupted, and receivers may get these events twice.',
    action: 'Check the database if it repeats.',
  },
  'webhooks.redelivery_scan_failed': {
    level: 'error',
    message: 'Could not list the tasks that redeliver failed events; retrying in 5 s.',
    meaning: 'The tasks pause until a round succeeds.',
    action: 'Check the database if it repeats.',
  },
  'webhooks.redelivery_failed': {
    level: 'error',
    message: 'Could not continue the redelivery of failed events; retrying in 5 s.',
    meaning: 'The task of this organization pauses. It loses nothing.',
    action: 'Check the database if it repeats, then report the line.',
  },
  'webhooks.seal_scan_failed': {
    level: 'error',
    message: 'Could not list webhook URLs that are not encrypted yet; retrying in 60 s.',
    meaning: 'URLs that an older version stored stay in clear text until a round succeeds.',
    action: 'Check the database if it repeats.',
  },
  'webhooks.seal_failed': {
    level: 'error',
    message: 'Could not encrypt the webhook URLs of an organization; retrying in 60 s.',
    meaning: 'Its URLs that an older version stored stay in clear text.',
    action: 'Check the database if it repeats, then report the line.',
  },
})
