export const PASSWORD_LENGTH = { min: 12, max: 256 } as const

/** Why a password is not taken, as the API names and says it. */
export interface PasswordRefusal {
  readonly code: 'too_short' | 'too_long' | 'is_the_email' | 'too_common'
  readonly message: string
}

/**
 * Of the passwords that lists of leaked ones begin with, those that are long enough to be taken
 * otherwise. They are compared without regard to capitals.
 */
const COMMON: ReadonlySet<string> = new Set([
  '0123456789ab',
  '01234567890123',
  '098765432109',
  '123123123123',
  '1234567890123',
  '12345678901234',
  '123456789012345',
  '1234567890123456',
  '1234567890ab',
  '123456789012',
  '1234567890qwerty',
  '123456789abc',
  '1q2w3e4r5t6y',
  '1q2w3e4r5t6y7u8i',
  '1qaz2wsx3edc',
  '1qaz2wsx3edc4rfv',
  'abcdefghijkl',
  'abcdefghijklmnop',
  'abcd1234abcd',
  'administrator',
  'administrator1',
  'adminadminadmin',
  'asdfasdfasdf',
  'asdfghjkl123',
  'changeme1234',
  'changemechangeme',
  'iloveyou1234',
  'iloveyouiloveyou',
  'letmein12345',
  'letmeinletmein',
  'password1234',
  'password12345',
  'password123456',
  'password1234567890',
  'password@123',
  'passw0rd1234',
  'passw0rdpassw0rd',
  'passwordpassword',
  'purserpurser',
  'qazwsxedcrfv',
  'qwerty123456',
  'qwerty1234567890',
  'qwertyqwerty',
  'qwertyuiop12',
  'qwertyuiop123',
  'qwertyuiopasdf',
  'welcome12345',
  'welcomewelcome',
  'zaq12wsxcde3',
  ...Array.from('0123456789abcdefghijklmnopqrstuvwxyz', (one) => one.repeat(12)),
])

/**
 * The text that is hashed. People type the same letter in several ways, and mean the same password, so
 * it has one form.
 */
export function toPassword(text: string): string {
  return text.normalize('NFC')
}

/** Undefined if the password may be taken. There is no other rule: length is what makes one strong. */
export function refusePassword(password: string, email: string): PasswordRefusal | undefined {
  const length = [...password].length
  if (length < PASSWORD_LENGTH.min) {
    return { code: 'too_short', message: `must have at least ${PASSWORD_LENGTH.min} characters` }
  }
  if (length > PASSWORD_LENGTH.max) {
    return { code: 'too_long', message: `must have at most ${PASSWORD_LENGTH.max} characters` }
  }
  const lower = password.toLowerCase()
  if (lower === email) return { code: 'is_the_email', message: 'must not be the e-mail address' }
  if (!COMMON.has(lower)) return undefined
  return { code: 'too_common', message: 'is among the passwords that are guessed first' }
}
