import type { Request } from '../../../src/paths/card/issuers/purchase.ts'

/** What the issuer knows of one authorization. */
export interface Account extends Request {
  readonly status: 'pending' | 'closed' | 'reversed' | 'expired'
  readonly movements: readonly Movement[]
}

/** Money that moved, or was given up. */
export interface Movement {
  readonly id: string
  readonly kind: 'authorization' | 'capture' | 'refund' | 'reversal' | 'expiry'
  readonly amount: number
  readonly isApproved: boolean
  readonly isSilent: boolean
  readonly seconds: number
}

/** How one issuer writes what all of them do. */
export interface Protocol {
  readonly newId: () => string
  readonly waitMs: number
  /** Whether it asks once more, at once, where the first call failed without a decision. */
  readonly asksTwice: boolean
  sign(body: string, secret: string, seconds: number): Readonly<Record<string, string>>
  toRequest(request: Request): object
  /** What an answer says; undefined where it says nothing usable. */
  readAnswer(body: unknown): { readonly isApproved: boolean; readonly amount?: number } | undefined
  /** What is told after the last movement of the account. */
  toEvents(account: Account): readonly object[]
}
