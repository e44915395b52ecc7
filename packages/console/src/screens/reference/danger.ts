/** Calls that move money, or let it move. The reference sends them only if the person means it. */
const MOVES_MONEY = new Set([
  'evaluate',
  'payX402',
  'createAcpCheckout',
  'authorizeCard',
  'tellCardEvent',
  'settleTransaction',
  'voidTransaction',
  'refundTransaction',
  'decideApproval',
])

/** Calls whose effect cannot be undone. */
const ENDS = new Set([
  'deleteAgent',
  'deleteMandate',
  'revokeMandate',
  'revokeApiKey',
  'revokeMandateTokens',
  'rotateWebhookSecret',
])

/** POST requests that change nothing. */
const READS = new Set(['simulate', 'backtestMandate', 'introspectMandateToken'])

export interface Danger {
  /** The effect of the call on the real organization; undefined if it only reads. */
  readonly sentence: string | undefined
  /** Whether the person must say "I mean it" first. */
  readonly needsIntent: boolean
}

/** The danger of a call with the session. It is the same as with a key: there is no sandbox. */
export function dangerOf(id: string, method: string): Danger {
  if (MOVES_MONEY.has(id)) {
    return { sentence: 'This call is real: it moves money or budget.', needsIntent: true }
  }
  if (ENDS.has(id)) {
    return { sentence: 'This call is real, and its effect cannot be undone.', needsIntent: true }
  }
  if (method === 'GET' || READS.has(id)) return { sentence: undefined, needsIntent: false }
  return { sentence: 'This call is real: it changes your organization.', needsIntent: false }
}
