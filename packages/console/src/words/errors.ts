import type { PurserError } from '@purser/sdk'
import { formatSpan } from './time.ts'

/** Errors that arise in the page, without a request that could fail. */
const IN_PAGE: readonly string[] = ['page_failed', 'passkey_refused']

/** The failure and the next step, for a person: the gateway's sentence, unless we know better. */
export function errorSentence(error: PurserError): string {
  if (error.code === 'storage_full') {
    return 'The gateway’s disk is nearly full, so it accepts nothing new. Reading still works. Tell the person who runs the gateway.'
  }
  if (error.status === 429) {
    const wait = error.retryAfterSeconds
    return wait === null
      ? 'Too many requests this minute. Try again in a moment.'
      : `Too many requests. Try again in ${formatSpan(wait * 1_000)}.`
  }
  if (error.status === null && !IN_PAGE.includes(error.code)) {
    return error.outcomeUnknown
      ? 'The gateway did not answer. The change may have been made: look before you try again.'
      : 'The gateway did not answer. Nothing was changed.'
  }
  // The form shows each mistake under its field.
  if (error.errors.length > 0) return 'Some fields need a change.'
  return error.detail
}

/** The sentence for one field of a form, by its JSON pointer. */
export function fieldError(error: PurserError | null, path: string): string | undefined {
  return error?.errors.find((one) => one.path === path)?.message
}
