import type { PurserError } from '@purser/sdk'
import { errorSentence } from '../../words/errors.ts'
import { formatSpan } from '../../words/time.ts'

/** One sentence for all causes of a failed sign-in, so that it reveals no address. */
export function signInSentence(error: PurserError, secret = 'password'): string {
  if (error.code === 'wrong_credentials') return `E-mail or ${secret} is not right.`
  if (error.status === 429 && error.retryAfterSeconds !== null) {
    return `Too many attempts. Try again in ${formatSpan(error.retryAfterSeconds * 1_000)}.`
  }
  return errorSentence(error)
}

/** A link can be used once, and for a limited time. */
export function linkSentence(error: PurserError): string {
  if (error.code === 'link_ended') {
    return 'This link was used, withdrawn, or is too old. Ask the person who sent it for a new one.'
  }
  return errorSentence(error)
}
