import type { X402Payment, X402Resource } from '@purser/sdk'
import { EXIT } from '../exit.ts'
import { plain } from '../output/plain.ts'

/** Says in a sentence whether money moved and the resource came, with the exit code for it. */
export function describeOutcome(answer: X402Payment): {
  readonly text: string
  readonly code: number
} {
  const { status, amount, price, transactionId, resource, resourceError } = answer
  const paid = `${amount} ${price?.symbol ?? ''}`.trim()
  const why =
    resourceError === null || resourceError === undefined ? '' : ` ${resourceError.message}`
  const vendor = resource ? ` The vendor answered ${resource.status}.` : ''
  switch (status) {
    case 'paid':
    case 'settled':
      return end(`Paid ${paid}: transaction ${transactionId}.${why}`, EXIT.success)
    case 'delivered_unsettled':
      return end(
        `Delivered. The payment of ${paid} is not on the chain yet: transaction ${transactionId}.${why}`,
        EXIT.success,
      )
    case 'no_payment_required':
      return end(`The vendor asked for no payment.${vendor}${why}`, EXIT.success)
    case 'paid_not_delivered':
      return end(
        `Paid ${paid}, but the vendor did not deliver.${vendor}${why} Transaction ${transactionId}.`,
        EXIT.failure,
      )
    case 'not_paid':
      return end(`Not paid: the payment expired unused.${vendor}${why}`, EXIT.failure)
    case 'settlement_unknown':
      return end(
        `The payment of ${paid} was sent, and its outcome is not known yet.${vendor}${why} Read it later: purser transactions show ${transactionId}`,
        EXIT.unknown,
      )
    default:
      return end(`Status: ${status}.`, EXIT.success)
  }
}

function end(text: string, code: number): { readonly text: string; readonly code: number } {
  return { text: plain(text), code }
}

/** Writes the body of the vendor's response as it came; at a terminal, without control characters. */
export function writeResource(resource: X402Resource | null): void {
  if (resource === null || resource.body === null) return
  const { body, bodyEncoding } = resource
  if (bodyEncoding === 'base64') {
    process.stdout.write(Buffer.from(String(body), 'base64'))
    return
  }
  const text = bodyEncoding === 'json' ? JSON.stringify(body) : String(body)
  const shown = process.stdout.isTTY ? text.split('\n').map(plain).join('\n') : text
  process.stdout.write(shown.endsWith('\n') ? shown : `${shown}\n`)
}
