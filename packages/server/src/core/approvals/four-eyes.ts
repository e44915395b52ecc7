import type { Micros } from '../money.ts'
import type { Instant } from '../time/instant.ts'

/** The conditions that the organization sets for answers to requests. */
export interface AnswerTerms {
  /** Whether the person who answers must differ from the one who asked. */
  readonly requiresFourEyes: boolean
  /** Approving more than this requires the password; in the currency of the organization. */
  readonly passwordAbove: Micros | null
  readonly currency: string
}

/**
 * The creator of a link that gives access to a member's account, and when the link was created or
 * used.
 */
export interface LinkBehind {
  readonly memberId: string
  readonly madeBy: string
  readonly madeAt: Instant
  /** Whether the link resets a password, so that it leads into an account that already existed. */
  readonly isReset: boolean
}

/**
 * If a reset link was created within this time before a request, its creator may have sent the
 * request as the member. A link is valid for as long. Such a takeover does not stay unnoticed,
 * because the member can no longer sign in and is told why.
 */
export const TAKEN_OVER_MS = 7 * 86_400_000

/**
 * All members who may act as this member: the member, everyone who has created a link for the member
 * since then, everyone who has created one for them, and so on.
 */
export function handsOf(
  memberId: string,
  links: readonly LinkBehind[],
  since: Instant,
): ReadonlySet<string> {
  const hands = new Set([memberId])
  // Iterating a set also visits the entries that are added on the way.
  for (const hand of hands) {
    for (const link of links) {
      if (link.memberId === hand && link.madeAt >= since) hands.add(link.madeBy)
    }
  }
  return hands
}

/**
 * All members who may have asked as this member, including everyone who may have taken over the
 * account to ask.
 */
export function askingHandsOf(
  memberId: string,
  links: readonly LinkBehind[],
  openedAt: Instant,
): ReadonlySet<string> {
  const resets = links.filter(({ isReset }) => isReset)
  return handsOf(memberId, resets, openedAt - TAKEN_OVER_MS)
}

/**
 * Whether approving this amount requires the password. Amounts in different currencies cannot be
 * compared, so they do.
 */
export function needsPassword(
  { passwordAbove, currency }: AnswerTerms,
  approved: { readonly amount: Micros; readonly currency: string },
): boolean {
  if (passwordAbove === null) return false
  return approved.currency !== currency || approved.amount > passwordAbove
}
