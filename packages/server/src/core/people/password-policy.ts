import { commonForms } from './password-forms.ts'
import { isPattern } from './password-patterns.ts'

export const PASSWORD_LENGTH = { min: 12, max: 256 } as const

/** Why a password is refused, in the API's code and message. */
export interface PasswordRefusal {
  readonly code: 'too_short' | 'too_long' | 'is_the_email' | 'too_common'
  readonly message: string
}

/** Whether a lower-case text is one of the passwords that attackers guess first. */
export type IsCommon = (text: string) => boolean

/**
 * The text that is hashed. Keyboards encode the same letter in several ways, so the password gets one
 * normal form.
 */
export function toPassword(text: string): string {
  return text.normalize('NFC')
}

/**
 * Returns undefined if the password is accepted. Length makes a password strong, unless it is a pattern
 * or a lengthened common password: attackers try these first.
 */
export function refusePassword(
  password: string,
  email: string,
  isCommon: IsCommon,
): PasswordRefusal | undefined {
  const length = [...password].length
  if (length < PASSWORD_LENGTH.min) {
    return { code: 'too_short', message: `must have at least ${PASSWORD_LENGTH.min} characters` }
  }
  if (length > PASSWORD_LENGTH.max) {
    return { code: 'too_long', message: `must have at most ${PASSWORD_LENGTH.max} characters` }
  }
  const lower = password.normalize('NFKC').toLowerCase()
  if (lower === email) return { code: 'is_the_email', message: 'must not be the e-mail address' }
  if (isBlank(lower)) return { code: 'too_common', message: 'must not consist of spaces only' }
  if (isPattern(lower)) {
    return { code: 'too_common', message: 'must not be a pattern of repeated or neighbouring keys' }
  }
  if (!commonForms(lower).some(isCommon)) return undefined
  return {
    code: 'too_common',
    message: 'is one of the most common passwords, or an easy variant of one',
  }
}

/** Blanks of every script, and invisible characters. */
function isBlank(text: string): boolean {
  return /^[\s\p{Z}\p{C}\p{M}\u115f\u1160\u3164\uffa0]*$/u.test(text)
}
