import { type FieldError, invalidFields, type Problem } from '../base/errors.ts'
import type { OutboundClient } from '../outbound/outbound-client.ts'

/**
 * Checks addresses before they are stored, each with the field that contains it. The check runs before
 * the transaction, which must not wait for DNS, but the problem is thrown inside it: a retry with the
 * same Idempotency-Key then gets the same response, even if the name resolves differently by then.
 * Addresses are checked again at every call.
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
