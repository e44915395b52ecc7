import type { PurserError } from '@purser/sdk'
import type { ReadLinkAnswer } from '../../generated/console-api.ts'
import { errorSentence } from '../../words/errors.ts'
import { ROLE_WORDS, type Role } from '../../words/roles.ts'
import { formatSpan } from '../../words/time.ts'

type LinkFacts = Pick<ReadLinkAnswer, 'createdBy' | 'organization' | 'role'>

/**
 * One sentence for all causes of a failed sign-in, so that it reveals no address. Null in place of
 * the secret: a passkey, of which the gateway's own sentence says as little.
 */
export function signInSentence(error: PurserError, secret: string | null): string {
  if (error.code === 'wrong_credentials' && secret !== null)
    return `E-mail or ${secret} is not right.`
  if (error.status === 429 && error.retryAfterSeconds !== null) {
    return `Too many attempts. Try again in ${formatSpan(error.retryAfterSeconds * 1_000)}.`
  }
  // Signing in twice does no harm, unlike a change whose outcome is unknown.
  if (error.code === 'connection_failed') return 'The gateway did not answer. Try again.'
  return errorSentence(error)
}

/** The set-up token works once, and only while there is no member. */
export function setupSentence(error: PurserError): string {
  if (error.code === 'link_ended') {
    return 'This token was used, replaced, or is too old. Paste the current one: the start of the gateway names the file that holds it.'
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

/** "Ada invites you to Meridian Labs as an approver." */
export function invitationSentence({ createdBy, organization, role }: LinkFacts): string {
  const inviter = createdBy ?? 'The operator of this gateway'
  return `${inviter} invites you to ${organization} as ${withArticle(role)}.`
}

/** "an approver". */
export function withArticle(role: Role): string {
  const word = ROLE_WORDS[role].name.toLowerCase()
  return `${/^[aeiou]/.test(word) ? 'an' : 'a'} ${word}`
}

/** An invited person may have a different name than the inviter wrote. */
export function nameHelp(invited: string | null): string {
  return invited === null
    ? 'Leave it empty to use your e-mail address.'
    : `Leave it empty to use “${invited}”.`
}
