import { type FieldError, invalidFields, type Problem } from '../base/errors.ts'
import type { OutboundClient } from '../outbound/outbound-client.ts'

/**
 * What is wrong with addresses that are to be stored, each with the field that holds it. It is asked
 * before a transaction, which must not wait for a name server, but thrown inside of it: a repeat with
 * the same Idempotency-Key gets the same answer, wherever the name leads by then. Addresses are
 * checked again whenever they are called.
 */
export async function findRefusal(
  outbound: OutboundClient,
  addresses: readonly (readonly [path: string, url: string | null | undefined])[],
): Promise<Problem | undefined> {
  const refusals = addresses.map(async ([path, url]): Promise<FieldError[]> => {
    const refusal = typeof url === 'string' ? await outbound.refusalOf(url) : undefined
    return refusal ? [{ path, code: refusal.reason, message: refusal.text }] : []
  })
  const errors = (await Promise.all(refusals)).flat()
  return errors.length > 0 ? invalidFields(errors) : undefined
}
