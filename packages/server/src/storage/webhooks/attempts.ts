import { type Instant, toIso } from '../../core/time/instant.ts'
import type { Queryable, Statement } from '../engine/database.ts'
import { plainArray, textArray, texts } from '../engine/wire-array.ts'

/** The outcome of an attempt. */
export interface AttemptEnd {
  readonly attemptId: string
  /**
   * Null leaves the entry until its lease ends, because the attempt says nothing about the
   * receiver.
   */
  readonly entryId: string | null
  readonly deliveryId: string
  readonly outcome: 'succeeded' | 'failed' | 'interrupted'
  readonly endedAt: Instant
  readonly durationMs: number
  readonly statusCode: number | null
  readonly errorClass: string | null
  readonly errorMessage: string | null
  readonly responseHeaders: Readonly<Record<string, string>> | null
  readonly responseBody: Buffer | null
  readonly responseCut: string | null
  readonly remoteAddress: string | null
  /** Null if there is no retry. */
  readonly nextAttemptAt: Instant | null
  /** The new status of the delivery; null leaves it as it is. */
  readonly deliveryStatus: 'succeeded' | 'failed' | null
}

/**
 * Ends attempts of one organization in one statement: it completes their delivery log, and removes
 * each queue entry or sets its next due time. It leaves an entry alone if a different process has
 * taken it over meanwhile. The statement may be repeated if its outcome is unknown: an attempt that
 * has ended does not end again.
 */
export function endAttempts(organizationId: string, ends: readonly AttemptEnd[]): Statement {
  const plain = (pick: (end: AttemptEnd) => string | number | null): string =>
    plainArray(ends.map(pick))
  const text = (pick: (end: AttemptEnd) => string | null): string => textArray(ends.map(pick))
  return {
    name: 'end-attempts',
    text: END_ATTEMPTS,
    values: [
      organizationId,
      plain((end) => toIso(end.endedAt)),
      plain((end) => end.attemptId),
      plain((end) => end.entryId),
      plain((end) => end.deliveryId),
      plain((end) => end.outcome),
      plain((end) => end.durationMs),
      plain((end) => end.statusCode),
      plain((end) => end.errorClass),
      text((end) => end.errorMessage),
      text((end) => end.responseHeaders && JSON.stringify(end.responseHeaders)),
      plain((end) => end.responseBody?.toString('hex') || null),
      plain((end) => end.responseCut),
      plain((end) => end.remoteAddress),
      plain((end) => end.nextAttemptAt && toIso(end.nextAttemptAt)),
      plain((end) => end.deliveryStatus),
    ],
  }
}

const END_ATTEMPTS = `
  with ended as (
    select * from unnest($2::timestamptz[], $3::uuid[], $4::uuid[], $5::uuid[], $6::text[], $7::int[], $8::int[],
                         $9::text[], ${texts('$10')}, ${texts('$11')}, $12::text[], $13::text[],
                         $14::text[], $15::timestamptz[], $16::text[])
      as e (ended_at, id, entry_id, delivery_id, outcome, duration_ms, status_code, error_class, error_message,
            headers, body, cut, remote_address, next_at, delivery_status)
  ), removed as (
    delete from webhook_queue q using ended e
    where q.organization_id = $1 and q.id = e.entry_id and q.attempt_id = e.id
      and e.next_at is null
  ), delayed as (
    update webhook_queue q set due_at = e.next_at, attempt_id = null, failures = q.failures + 1
    from ended e
    where q.organization_id = $1 and q.id = e.entry_id and q.attempt_id = e.id
      and e.next_at is not null
  ), logged as (
    update webhook_attempts a
    set outcome = e.outcome, duration_ms = e.duration_ms, status_code = e.status_code,
        error_class = e.error_class, error_message = e.error_message,
        response_headers = e.headers::json, response_body = decode(e.body, 'hex'),
        response_cut = e.cut, remote_address = e.remote_address, next_attempt_at = e.next_at
    from ended e
    where a.organization_id = $1 and a.id = e.id and a.duration_ms is null
    returning e.delivery_id, e.ended_at, e.outcome, e.status_code, e.error_message, e.delivery_status
  ), counted as (
    -- 'succeeded' sorts after 'failed': if two attempts end together, the success counts.
    select distinct on (delivery_id) *, count(*) over (partition by delivery_id) as times
    from logged where outcome <> 'interrupted'
    order by delivery_id, delivery_status desc nulls last
  )
  update webhook_deliveries d
  set attempts = d.attempts + c.times, last_attempt_at = c.ended_at,
      last_status_code = c.status_code, last_error = c.error_message,
      status = case when d.status = 'succeeded' then d.status
                    else coalesce(c.delivery_status, d.status) end
  from counted c
  where d.organization_id = $1 and d.id = c.delivery_id`

/** An attempt in the delivery log. */
export interface AttemptRow {
  readonly id: string
  readonly isManual: boolean
  readonly outcome: 'started' | 'succeeded' | 'failed' | 'interrupted'
  /** Only the receiver, if there is a sealed copy of the URL. */
  readonly url: string
  readonly urlId: string | null
  /** Null also if the copy was removed, as retention does with unused copies. */
  readonly sealedUrl: Buffer | null
  readonly requestHeaders: Readonly<Record<string, string>>
  readonly startedAt: Instant
  readonly durationMs: number | null
  readonly statusCode: number | null
  readonly errorClass: string | null
  readonly errorMessage: string | null
  readonly responseHeaders: Readonly<Record<string, string>> | null
  readonly responseBody: Buffer | null
  readonly responseCut: string | null
  readonly remoteAddress: string | null
  readonly nextAttemptAt: Instant | null
}

/** Returns the attempts oldest first. */
export function listAttempts(
  db: Queryable,
  organizationId: string,
  deliveryId: string,
): Promise<AttemptRow[]> {
  return db.query<AttemptRow>({
    text: `
      select a.id, a.is_manual as "isManual", a.outcome, a.url, a.url_id as "urlId",
             u.sealed as "sealedUrl", a.request_headers as "requestHeaders",
             a.started_at as "startedAt", a.duration_ms as "durationMs",
             a.status_code as "statusCode", a.error_class as "errorClass",
             a.error_message as "errorMessage", a.response_headers as "responseHeaders",
             a.response_body as "responseBody", a.response_cut as "responseCut",
             a.remote_address as "remoteAddress", a.next_attempt_at as "nextAttemptAt"
      from webhook_attempts a
      left join webhook_urls u on u.organization_id = a.organization_id and u.id = a.url_id
      where a.organization_id = $1 and a.delivery_id = $2
      order by a.started_at, a.id`,
    values: [organizationId, deliveryId],
  })
}
