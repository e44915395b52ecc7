import type { Micros } from '../money.ts'
import type { Instant } from '../time/instant.ts'

/** What the organization demands of those who answer requests. */
export interface AnswerTerms {
  /** Whether another person has to answer than the one who asked. */
  readonly requiresFourEyes: boolean
  /** Above it a person gives the password to approve; in the currency of the organization. */
  readonly passwordAbove: Micros | null
  readonly currency: string
}

/** Who made a link with which somebody can come in as the member, and when it was made or taken. */
export interface LinkBehind {
  readonly memberId: string
  readonly madeBy: string
  readonly madeAt: Instant
  /** Whether it was for another password, and so for an account that somebody had already. */
  readonly isReset: boolean
}

/**
 * For so long before a request, a reset link may mean that its maker asks as the member. A link is good for
 * as long. The member cannot sign in any more and is told why, so that it does not stay unnoticed.
 */
export const TAKEN_OVER_MS = 7 * 86_400_000

/**
 * Everybody who may be acting as the member: the member, whoever has made a link for the member since
 * then, whoever has made one for them, and so on.
 */
export function handsOf(
  memberId: string,
  links: readonly LinkBehind[],
  since: Instant,
): ReadonlySet<string> {
  const hands = new Set([memberId])
  // A set also goes through what is added on the way.
  for (const hand of hands) {
    for (const link of links) {
      if (link.memberId === hand && link.madeAt >= since) hands.add(link.madeBy)
    }
  }
  return hands
}

/** Everybody who may have asked as the member: also whoever took over the account for it. */
export function askingHandsOf(
  memberId: string,
  links: readonly LinkBehind[],
  openedAt: Instant,
): ReadonlySet<string> {
  const resets = links.filter(({ isReset }) => isReset)
  return handsOf(memberId, resets, openedAt - TAKEN_OVER_MS)
}

/** Whether a person gives the password to approve so much. Other currencies cannot be compared: yes. */
export function needsPassword(
  { passwordAbove, currency }: AnswerTerms,
  approved: { readonly amount: Micros; readonly currency: string },
): boolean {
  if (passwordAbove === null) return false
  return approved.currency !== currency || approved.amount > passwordAbove
}
