import { commonForms } from './password-forms.ts'
import { isPattern } from './password-patterns.ts'

export const PASSWORD_LENGTH = { min: 12, max: 256 } as const

/** Why a password is not taken, as the API names and says it. */
export interface PasswordRefusal {
  readonly code: 'too_short' | 'too_long' | 'is_the_email' | 'too_common'
  readonly message: string
}

/** Whether a text is one of the passwords that are guessed first. It is asked in lower case. */
export type IsCommon = (text: string) => boolean

/**
 * The text that is hashed. People type the same letter in several ways, and mean the same password, so
 * it has one form.
 */
export function toPassword(text: string): string {
  return text.normalize('NFC')
}

/**
 * Undefined if the password may be taken. Length makes a password strong, unless it is a pattern, or a
 * common password that was made longer: whoever guesses tries these first.
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
    message: 'is among the passwords that are guessed first, or an easy variant of one',
  }
}

/** Blanks of every script, and characters that show nothing. */
function isBlank(text: string): boolean {
  return /^[\s\p{Z}\p{C}\p{M}\u115f\u1160\u3164\uffa0]*$/u.test(text)
}
