import type { Request } from './purchase.ts'

/** How `purser trigger card` plays an issuer. */
export interface IssuerTrigger {
  /** How long the issuer waits for an answer before it decides by itself. */
  readonly waitMs: number
  /** The country of a merchant, as the issuer writes it. */
  readonly country: string
  newAuthorizationId(): string
  /** The body of a request before it approves. */
  toRequest(request: Request): object
  /** The headers that prove who sent a body. */
  sign(body: string, secret: string, seconds: number): Readonly<Record<string, string>>
  /** What an answer decides; undefined where it decides nothing. */
  readAnswer(answer: Readonly<Record<string, unknown>>): TriggerAnswer | undefined
}

export type TriggerAnswer =
  | { readonly isApproved: true; readonly isPartial: boolean }
  | { readonly isApproved: false; readonly reason: string }
