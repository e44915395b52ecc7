import { randomBytes } from 'node:crypto'
import { RECOVERY_ALPHABET, RECOVERY_LENGTH } from '../../core/people/recovery-code.ts'

/** The alphabet has 32 characters, so each takes five bits of a random byte. */
export function mintRecoveryCode(): string {
  const bytes = randomBytes(RECOVERY_LENGTH)
  return [...bytes].map((byte) => RECOVERY_ALPHABET.charAt(byte % 32)).join('')
}
