/** A vendor's claim about the transfer. It is a hint, never a proof. */
export interface Receipt {
  /** The hash of the transaction, in lower case. */
  readonly transaction: string
  /** Whether the vendor says that the transfer was made. */
  readonly claimsSuccess: boolean
}

/** An honest receipt is never longer. */
const LENGTH_MAX = 16_384
const HASH = /^0x[0-9a-f]{64}$/i

/** Returns undefined if there is no receipt, or if it names no transaction. */
export function readReceipt(headers: Readonly<Record<string, string>>): Receipt | undefined {
  const header = headers['payment-response'] ?? headers['x-payment-response']
  if (header === undefined || header.length > LENGTH_MAX) return undefined
  try {
    const { transaction, success } = JSON.parse(Buffer.from(header, 'base64').toString('utf8'))
    const isHash = typeof transaction === 'string' && HASH.test(transaction)
    if (!isHash) return undefined
    return { transaction: transaction.toLowerCase(), claimsSuccess: success !== false }
  } catch {
    return undefined
  }
}
