import { toPublicId } from '../../../core/id.ts'
import { isRecord } from './payment-required.ts'

type Extensions = Readonly<Record<string, unknown>>

/** An extension with which a vendor takes an id of the payer's, to recognize a payment it has seen. */
const PAYMENT_IDENTIFIER = 'payment-identifier'

/**
 * The payment travels in a header, and most servers take headers of 16 kB at most. Base64 makes this
 * a third longer, and the payment itself needs a kilobyte.
 */
const ECHO_BYTES_MAX = 8_192

/**
 * What is sent back of a vendor's extensions: all of them as they came, as the protocol asks for, and
 * in `payment-identifier` the id of the transaction. Nothing else is added, above all no signature
 * that another extension asks for. If all are too much, only the id is sent.
 */
export function toEchoed(extensions: Extensions | undefined, transactionId: string): object | null {
  if (!extensions) return null
  const identifier = withId(extensions[PAYMENT_IDENTIFIER], transactionId)
  const named = identifier && { [PAYMENT_IDENTIFIER]: identifier }
  const all = { ...extensions, ...named }
  if (isEmpty(all)) return null
  return [all, named].find((echo) => echo && isShort(echo)) ?? null
}

/** Undefined where the vendor does not offer it in the form that the protocol gives it. */
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
