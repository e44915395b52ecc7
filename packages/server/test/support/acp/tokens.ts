/** A payment token, and the limits of its use. */
export interface Token {
  readonly id: string
  readonly merchantId: string
  /** Null if the token provider does not bind tokens to sessions. */
  readonly sessionId: string | null
  /** The currency code in lower case. */
  readonly currency: string
  readonly maxMinor: number
  readonly metadata: Readonly<Record<string, string>>
  expiresAtMs: number
  capturedMinor: number
  isRevoked: boolean
  /** The payer has to authenticate before the token can be charged. */
  needsAction: boolean
}

export interface Charge {
  readonly token: string
  readonly merchantId: string
  readonly sessionId: string
  readonly currency: string
  readonly amountMinor: number
}

/** Returns undefined if the money was taken, or else the code of the refusal. */
export type ChargeToken = (charge: Charge) => string | undefined

export interface TokenBook {
  readonly tokens: readonly Token[]
  find(id: string): Token | undefined
  add(token: Omit<Token, 'capturedMinor' | 'isRevoked' | 'needsAction'>): Token
  charge: ChargeToken
}

/** Enforces every limit: the merchant, the session, the amount, the expiry, and a single use. */
export function createTokenBook(now: () => number = Date.now): TokenBook {
  const tokens: Token[] = []
  const find = (id: string): Token | undefined => tokens.find((token) => token.id === id)

  return {
    tokens,
    find,
    add(token) {
      const added = { ...token, capturedMinor: 0, isRevoked: false, needsAction: false }
      tokens.push(added)
      return added
    },
    charge(charge) {
      const token = find(charge.token)
      const refusal = token ? refusalOf(token, charge, now()) : 'token_unknown'
      if (token && refusal === undefined) token.capturedMinor = charge.amountMinor
      return refusal
    },
  }
}

/** The first reason that prevents a charge. */
function refusalOf(token: Token, charge: Charge, now: number): string | undefined {
  const { merchantId, sessionId, currency, amountMinor } = charge
  const conditions: readonly (readonly [boolean, string])[] = [
    [token.isRevoked, 'token_revoked'],
    [token.expiresAtMs <= now, 'token_expired'],
    [token.capturedMinor > 0, 'token_used'],
    [token.needsAction, 'requires_authentication'],
    [token.merchantId !== merchantId, 'token_seller_mismatch'],
    [token.sessionId !== null && token.sessionId !== sessionId, 'token_session_mismatch'],
    [token.currency !== currency, 'token_currency_mismatch'],
    [amountMinor > token.maxMinor, 'token_max_amount_exceeded'],
  ]
  return conditions.find(([applies]) => applies)?.[1]
}
