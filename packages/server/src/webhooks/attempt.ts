import type { Instant } from '../core/time/instant.ts'
import type { OutboundAnswer, OutboundClient, OutboundResult } from '../outbound/outbound-client.ts'
import type { AttemptEnd } from '../storage/webhooks/attempts.ts'
import type { QueueEntry } from '../storage/webhooks/queue.ts'

/** The specification's limit for everything from the DNS lookup to the response. */
export const TIMEOUT_MS = 5_000
/** How much of a response the delivery log keeps. */
const ANSWER_BYTES_MAX = 16 * 1_024
const HEADERS_MAX = 50

/** A request that is in the delivery log and about to be sent. */
export interface Attempt {
  readonly id: string
  readonly organizationId: string
  readonly entry: QueueEntry
  /** The endpoint; the organization's id for the first one. */
  readonly endpointId: string
  /** Since when the endpoint was failing when the attempt began; null if it was not. */
  readonly failingSince: Instant | null
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** A time of the database's clock, like all times of the queue. */
  readonly claimedAt: Instant
  /** When the event happened. */
  readonly occurredAt: Instant
}

export interface AttemptParts {
  readonly outbound: OutboundClient
  readonly delaysMs: readonly number[]
  readonly random: () => number
}

/** Sends the request once and returns the outcome. */
export async function makeAttempt(parts: AttemptParts, attempt: Attempt): Promise<AttemptEnd> {
  const began = performance.now()
  const result = await parts.outbound.call({
    method: 'POST',
    url: attempt.url,
    headers: attempt.headers,
    body: attempt.body,
    timeoutMs: TIMEOUT_MS,
    answerBytesMax: ANSWER_BYTES_MAX,
  })
  const durationMs = Math.round(performance.now() - began)
  const answer = result.kind === 'answer' ? result : undefined
  const endedAt = attempt.claimedAt + durationMs
  return {
    attemptId: attempt.id,
    entryId: attempt.entry.id,
    deliveryId: attempt.entry.deliveryId,
    endedAt,
    durationMs,
    remoteAddress: result.remoteAddress,
    ...answerLog(answer),
    ...verdictOf(parts, attempt, result, endedAt),
  }
}

type Verdict = Pick<
  AttemptEnd,
  'outcome' | 'errorClass' | 'errorMessage' | 'nextAttemptAt' | 'deliveryStatus'
> & { readonly entryId?: null }

function verdictOf(
  parts: AttemptParts,
  attempt: Attempt,
  result: OutboundResult,
  endedAt: Instant,
): Verdict {
  const error = errorOf(result)
  if (!error) {
    const plan = { nextAttemptAt: null, deliveryStatus: 'succeeded' } as const
    return { outcome: 'succeeded', errorClass: null, errorMessage: null, ...plan }
  }
  if (result.kind === 'failure' && result.reason === 'own_fault') {
    const untouched = { entryId: null, nextAttemptAt: null, deliveryStatus: null }
    return { outcome: 'interrupted', ...error, ...untouched }
  }
  const answer = result.kind === 'answer' ? result : undefined
  return { outcome: 'failed', ...error, ...planAfter(parts, attempt, answer, endedAt) }
}

/** Only 2xx acknowledges. A truncated body does not matter, because the status has arrived. */
function errorOf(
  result: OutboundResult,
): Pick<AttemptEnd, 'errorClass' | 'errorMessage'> | undefined {
  if (result.kind === 'failure') return { errorClass: result.reason, errorMessage: result.message }
  const { status } = result
  if (status >= 200 && status < 300) return undefined
  if (status >= 300 && status < 400) {
    const message = `The receiver answered ${status}, a redirect; redirects are not followed.`
    return { errorClass: 'redirect', errorMessage: message }
  }
  return { errorClass: 'status', errorMessage: `The receiver answered ${status}.` }
}

/**
 * A delivery that a person requested is tried once. Its failure does not change the retry schedule.
 */
function planAfter(
  { delaysMs, random }: AttemptParts,
  { entry }: Attempt,
  answer: OutboundAnswer | undefined,
  at: Instant,
): Pick<AttemptEnd, 'nextAttemptAt' | 'deliveryStatus'> {
  if (entry.isManual) return { nextAttemptAt: null, deliveryStatus: null }
  const asked = readRetryAfter(answer?.headers['retry-after'], at)
  const next = nextAttemptAt(delaysMs, entry.failures, at, random(), asked)
  return { nextAttemptAt: next, deliveryStatus: next === null ? 'failed' : null }
}

function answerLog(
  answer: OutboundAnswer | undefined,
): Pick<AttemptEnd, 'statusCode' | 'responseHeaders' | 'responseBody' | 'responseCut'> {
  if (!answer) {
    return { statusCode: null, responseHeaders: null, responseBody: null, responseCut: null }
  }
  // Cookies are secrets between the receiver and its clients, so the delivery log omits them.
  const headers = Object.entries(answer.headers).filter(([name]) => name !== 'set-cookie')
  return {
    statusCode: answer.status,
    responseHeaders: Object.fromEntries(headers.slice(0, HEADERS_MAX)),
    responseBody: answer.body,
    responseCut: answer.cut,
  }
}

/**
 * Each delay varies at random by up to this share (jitter), so that retries do not hit receivers in
 * waves.
 */
const JITTER = 0.2

/**
 * The time of the next retry; null after the last attempt.
 *
 * A receiver may ask for a longer delay, but not for a shorter one, and at most for twice the
 * scheduled delay: it can neither make us hammer it nor keep a delivery open for ever.
 */
export function nextAttemptAt(
  delaysMs: readonly number[],
  failuresBefore: number,
  now: Instant,
  random: number,
  retryAfterMs: number | undefined,
): Instant | null {
  const base = delaysMs[failuresBefore]
  if (base === undefined) return null
  const drawn = base * (1 + JITTER * (2 * random - 1))
  const asked = retryAfterMs === undefined ? 0 : Math.min(retryAfterMs, 2 * base)
  return now + Math.round(Math.max(drawn, asked))
}

/**
 * The delay that a `Retry-After` header asks for, in seconds or as a date; undefined if there is
 * none.
 */
export function readRetryAfter(header: string | undefined, now: Instant): number | undefined {
  if (header === undefined) return undefined
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1_000
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}
