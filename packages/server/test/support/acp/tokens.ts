/** A payment token, and what it may be used for. */
export interface Token {
  readonly id: string
  readonly merchantId: string
  /** Null where the issuer does not bind tokens to sessions. */
  readonly sessionId: string | null
  /** In lower case. */
  readonly currency: string
  readonly maxMinor: number
  readonly metadata: Readonly<Record<string, string>>
  expiresAtMs: number
  capturedMinor: number
  isRevoked: boolean
  /** The payer has to prove something before it can be charged. */
  needsAction: boolean
}

export interface Charge {
  readonly token: string
  readonly merchantId: string
  readonly sessionId: string
  readonly currency: string
  readonly amountMinor: number
}

/** Undefined when the money was taken, or else the code of the refusal. */
export type ChargeToken = (charge: Charge) => string | undefined

export interface TokenBook {
  readonly tokens: readonly Token[]
  find(id: string): Token | undefined
  add(token: Omit<Token, 'capturedMinor' | 'isRevoked' | 'needsAction'>): Token
  charge: ChargeToken
}

/** Enforces every allowance: the merchant, the session, the amount, the end, and one use. */
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

/** The first thing that stands in the way of a charge. */
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
