import type { Request } from '../../../src/paths/card/issuers/purchase.ts'

/** The issuer's state of one authorization. */
export interface Account extends Request {
  readonly status: 'pending' | 'closed' | 'reversed' | 'expired'
  readonly movements: readonly Movement[]
}

/** Money that moved, or was released. */
export interface Movement {
  readonly id: string
  readonly kind: 'authorization' | 'capture' | 'refund' | 'reversal' | 'expiry'
  readonly amount: number
  readonly isApproved: boolean
  readonly isSilent: boolean
  readonly seconds: number
}

/** How one issuer encodes the messages that all issuers have. */
export interface Protocol {
  readonly newId: () => string
  readonly waitMs: number
  /** Whether it retries once, at once, if the first call failed without a decision. */
  readonly asksTwice: boolean
  sign(body: string, secret: string, seconds: number): Readonly<Record<string, string>>
  toRequest(request: Request): object
  /** Reads an answer; undefined if it says nothing usable. */
  readAnswer(body: unknown): { readonly isApproved: boolean; readonly amount?: number } | undefined
  /** The events after the last movement of the account. */
  toEvents(account: Account): readonly object[]
}
