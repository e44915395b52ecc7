import { PurserError } from '../client/errors.ts'

/** Returns the error for arguments that cannot be used. */
export function refusal(detail: string): PurserError {
  return new PurserError(`${detail} Nothing was sent or paid.`, { code: 'invalid_option' })
}

/** A caller without types could leave it out, and would then pay any price. */
export function requireMaxAmount(maxAmount: unknown): void {
  if (typeof maxAmount === 'number' && maxAmount > 0) return
  throw refusal('`maxAmount` is required: the highest price to pay, such as `{ maxAmount: 0.05 }`.')
}
