/** How many codes a member gets at once. New codes replace the old ones. */
export const RECOVERY_CODES = 10
/** Digits and letters without I, L, O and U, which look like others (Crockford's base 32). */
export const RECOVERY_ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** 80 random bits: too many to guess, so a fast hash of the code is enough. */
export const RECOVERY_LENGTH = 16

const FORM = new RegExp(`^[${RECOVERY_ALPHABET}]{${RECOVERY_LENGTH}}$`)

/** The form in which a code is hashed; undefined if the text cannot be a code. */
export function toRecoveryCode(text: string): string | undefined {
  const code = text.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1')
  return FORM.test(code) ? code : undefined
}

/** The form for people, such as 7K2M-9QXR-04TB-HZ3N. */
export function showRecoveryCode(code: string): string {
  return code.match(/.{4}/g)?.join('-') ?? code
}
