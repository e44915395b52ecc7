import type { WebhookAttempt, WebhookDelivery, WebhookDeliveryDetail } from '@purser/sdk'
import { countOf } from '../../../words/text.ts'
import { formatSpan } from '../../../words/time.ts'
import { type DeliveryWord, deliveryWord } from '../../../words/words.ts'

/** The word for the state of a delivery. */
export function wordOf({ status, attempts }: Pick<WebhookDelivery, 'status' | 'attempts'>) {
  return deliveryWord(status, attempts)
}

/** Your server's last answer, in a column: "204", "503", "timeout". */
export function answerOf({ lastStatusCode, lastError, attempts }: WebhookDelivery): string {
  if (lastStatusCode !== null) return String(lastStatusCode)
  if (attempts === 0) return ''
  return /timeout|within \d+ s|no answer/i.test(lastError ?? '') ? 'timeout' : 'no answer'
}

const NUMBERS = [
  'no',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
]

function inWords(count: number): string {
  return NUMBERS[count] ?? String(count)
}

/** The state of a delivery as a sentence with a strong first half. */
export function deliverySentence(
  delivery: WebhookDeliveryDetail,
  now: number,
): { readonly strong: string; readonly rest: string } {
  const { attempts, maxAttempts, nextAttemptAt } = delivery
  const answer = lastAnswer(delivery)
  const tried = `in ${inWords(attempts)} ${attempts === 1 ? 'attempt' : 'attempts'}`
  const word: DeliveryWord['id'] = wordOf(delivery).id
  if (word === 'waiting') {
    return { strong: 'Purser sends it now.', rest: 'It waits for its first attempt.' }
  }
  if (word === 'delivered') {
    const number = attempts === 1 ? 'at the first attempt' : `at attempt ${attempts}`
    return { strong: `Your server accepted it ${number}.`, rest: answer }
  }
  if (word === 'canceled') {
    return {
      strong: 'Purser stopped sending it.',
      rest: 'The webhook URL was removed, or this kind of event was switched off. You can send it again.',
    }
  }
  if (word === 'failed') {
    return {
      strong: `Your server did not accept it ${tried}.`,
      rest: `${answer} Purser does not try again by itself. You can send it again.`,
    }
  }
  const left = Math.max(0, maxAttempts - attempts)
  const when =
    nextAttemptAt === null
      ? 'soon'
      : `in ${formatSpan(Math.max(0, Date.parse(nextAttemptAt) - now))}`
  const more = left > 1 ? `, then up to ${countOf(left - 1, 'more time', 'more times')}` : ''
  return {
    strong: `Your server has not accepted it ${tried}.`,
    rest: `${answer} Purser tries again ${when}${more}. Nothing is lost meanwhile.`,
  }
}

function lastAnswer({ attemptLog }: WebhookDeliveryDetail): string {
  const last = attemptLog.at(-1)
  if (!last) return ''
  if (last.outcome === 'succeeded') {
    return last.response ? `It answered ${last.response.status} after ${duration(last)}.` : ''
  }
  if (last.response && last.error?.class === 'status') {
    return `The last answer was ${last.response.status}.`
  }
  return last.error?.message ?? ''
}

/** "31 ms", "5.0 s". */
export function duration({ durationMs }: Pick<WebhookAttempt, 'durationMs'>): string {
  if (durationMs === null) return 'an unknown time'
  return durationMs < 1_000
    ? `${Math.round(durationMs)} ms`
    : `${(durationMs / 1_000).toFixed(1)} s`
}

const ORDINALS = ['First', 'Second', 'Third', 'Fourth', 'Fifth', 'Sixth', 'Seventh', 'Eighth']

export function ordinal(number: number): string {
  return ORDINALS[number - 1] ?? `Attempt ${number}`
}

/**
 * Since when your server has not accepted anything: the first failure after the last success. Null
 * while it answers.
 */
export function notAnsweringSince(deliveries: readonly WebhookDelivery[]): string | null {
  const done = deliveries.filter((one) => one.status === 'succeeded' && one.lastAttemptAt)
  const lastGood = done.reduce((latest, one) => max(latest, one.lastAttemptAt ?? ''), '')
  const failing = deliveries.filter(
    ({ status, attempts, lastError, lastAttemptAt }) =>
      (status === 'failed' || (status === 'pending' && attempts > 0)) &&
      lastError !== null &&
      (lastAttemptAt ?? '') > lastGood,
  )
  if (failing.length === 0) return null
  return (
    failing
      .map((one) => max(one.createdAt, lastGood))
      .toSorted()
      .at(0) ?? null
  )
}

function max(a: string, b: string): string {
  return a > b ? a : b
}
