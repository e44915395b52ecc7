import { toPublicId } from '../../../core/id.ts'
import { isRecord } from './payment-required.ts'

type Extensions = Readonly<Record<string, unknown>>

/**
 * The extension by which a vendor accepts an id from the payer, to recognize a repeated payment.
 */
const PAYMENT_IDENTIFIER = 'payment-identifier'

/**
 * Limits the echoed extensions, because the payment is sent in a header, and most servers accept
 * headers of 16 kB at most. Base64 makes this a third longer, and the payment itself needs a
 * kilobyte.
 */
const ECHO_BYTES_MAX = 8_192

/**
 * Returns the extensions that the gateway sends back: all of them unchanged, as the protocol
 * requires, and the transaction's id in `payment-identifier`. Adds nothing else, in particular no
 * signature that an extension requests. If all of them are too long, returns only the id.
 */
export function toEchoed(extensions: Extensions | undefined, transactionId: string): object | null {
  if (!extensions) return null
  const identifier = withId(extensions[PAYMENT_IDENTIFIER], transactionId)
  const named = identifier && { [PAYMENT_IDENTIFIER]: identifier }
  const all = { ...extensions, ...named }
  if (isEmpty(all)) return null
  return [all, named].find((echo) => echo && isShort(echo)) ?? null
}

/** Returns undefined if the vendor does not offer the extension in the protocol's form. */
function withId(extension: unknown, transactionId: string): Extensions | undefined {
  if (!isRecord(extension) || !isRecord(extension['info'])) return undefined
  const { info } = extension
  return { ...extension, info: { ...info, id: toPublicId('txn', transactionId) } }
}

function isEmpty(extensions: Extensions): boolean {
  return Object.keys(extensions).length === 0
}

function isShort(echo: object): boolean {
  return Buffer.byteLength(JSON.stringify(echo)) <= ECHO_BYTES_MAX
}
