import type { X402Payment, X402Resource } from '@purser/sdk'
import { EXIT } from '../exit.ts'
import { toMoneyText } from '../output/money.ts'
import { plain, plainLines, toJson } from '../output/plain.ts'
import { tell } from '../output/print.ts'

/** Says in a sentence whether money moved and the resource came, with the exit code for it. */
export function describeOutcome(answer: X402Payment): {
  readonly text: string
  readonly code: number
} {
  const { status, amount, price, transactionId, resource, resourceError } = answer
  const paid = amount === null ? 'an unknown amount' : toMoneyText(amount, price?.symbol)
  const why =
    resourceError === null || resourceError === undefined ? '' : ` ${resourceError.message}`
  const vendor = resource ? ` The vendor answered ${resource.status}.` : ''
  const isWhole = resource !== null && !resource.truncated
  const cut = resource?.truncated ? ' The body is not complete.' : ''
  const delivered = isWhole ? EXIT.success : EXIT.failure
  switch (status) {
    case 'paid':
    case 'settled':
      return end(`Paid ${paid}: transaction ${transactionId}.${cut}${why}`, delivered)
    case 'delivered_unsettled':
      return end(
        `Delivered. The payment of ${paid} is not on the chain yet: transaction ${transactionId}.${cut}${why}`,
        delivered,
      )
    case 'no_payment_required':
      return end(
        `The vendor asked for no payment.${vendor}${cut}${why}`,
        isWhole && isSuccess(resource) ? EXIT.success : EXIT.failure,
      )
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
      // A newer gateway can have further statuses, and money may have moved.
      return end(
        `The payment has the status ${status}. Read it later: purser transactions show ${transactionId}`,
        EXIT.unknown,
      )
  }
}

function isSuccess({ status }: X402Resource): boolean {
  return status >= 200 && status < 300
}

function end(text: string, code: number): { readonly text: string; readonly code: number } {
  return { text: plain(text), code }
}

/**
 * Writes the body of the vendor's response. At a terminal, it has no control characters, and binary
 * data is Base64: the vendor could otherwise write over other lines.
 */
export function writeResource(resource: X402Resource | null): void {
  if (resource === null || resource.body === null) return
  const { body, bodyEncoding } = resource
  const { isTTY } = process.stdout
  if (bodyEncoding === 'base64' && !isTTY) {
    process.stdout.write(Buffer.from(String(body), 'base64'))
    return
  }
  if (bodyEncoding === 'base64') tell('The body is binary. The terminal shows it in Base64.')
  const text = bodyEncoding === 'json' ? toJson(body) : String(body)
  const shown = isTTY ? plainLines(text) : text
  process.stdout.write(shown.endsWith('\n') ? shown : `${shown}\n`)
}
