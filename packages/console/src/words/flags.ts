import { readable } from './words.ts'

/** Unusual traits of a transaction, as sentences. Other flags are ids of rules. */
const FLAG_WORDS: Readonly<Record<string, string>> = {
  ungoverned: 'The money moved without a request to the gateway',
  raised: 'More is held than was requested',
  over_capture: 'More was captured than was held',
  late_capture: 'Captured after the hold was released',
  total_unproven: 'The merchant’s order total is not proven',
  rest_unproven: 'The rest of the hold was released on the merchant’s word',
  over_refund: 'The merchant reports refunds of more than was paid',
  other_currency: 'Money moved in a different currency',
  merchant_unrecognised: 'The card merchant is not in the vendor directory',
  merchant_drift: 'A known merchant name with a different id',
  ended_by_hand: 'The hold was closed by hand',
}

/** A flag in words: one of the gateway's own, or the rule that set it. */
export function flagWord(flag: string): string {
  return FLAG_WORDS[flag] ?? `Flagged by the rule ${flag}`
}

/** `authorizationId` as "Authorization id", for data of a payment path. */
export function fieldWord(name: string): string {
  return readable(name.replaceAll(/([a-z\d])([A-Z])/g, (_, a, b) => `${a}_${b.toLowerCase()}`))
}
