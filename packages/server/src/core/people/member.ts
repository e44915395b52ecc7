import type { Instant } from '../time/instant.ts'
import type { Role } from './role.ts'

/** A person who signs in to an organization. */
export interface Member {
  readonly id: string
  /** In the one spelling that `toEmail` gives. */
  readonly email: string
  readonly name: string
  readonly role: Role
  /** The row of somebody who was removed stays, because what they did names them. */
  readonly status: 'active' | 'removed'
  readonly createdAt: Instant
  /** The id of the member who invited them, or `cli` for the operator. */
  readonly createdBy: string
}

const EMAIL_LENGTH_MAX = 254
const EMAIL_FORM = /^[^\s@\p{Cc}\p{Cf}]{1,64}@[^\s@\p{Cc}\p{Cf}]{1,253}$/u

/**
 * The address in one spelling, so that the same one is not two people: without blanks around it, in NFC
 * and in lower case. Undefined for a text that cannot be an address. Whether mail arrives there is not
 * our business, because none is sent.
 */
export function toEmail(text: string): string | undefined {
  const email = text.trim().normalize('NFC').toLowerCase()
  return email.length <= EMAIL_LENGTH_MAX && EMAIL_FORM.test(email) ? email : undefined
}

/** How long somebody has to take up an invitation, a reset or the set-up. */
export const INVITATION_MS = 7 * 86_400_000

/** What a link is for: another member, a forgotten password, the first owner. */
export type InvitationKind = 'invite' | 'reset' | 'setup'

export interface Invitation {
  readonly id: string
  readonly organizationId: string
  readonly kind: InvitationKind
  /** Null only for the set-up, where the first owner names it. */
  readonly email: string | null
  /** What the inviter calls the person; they may choose another. */
  readonly name: string | null
  readonly role: Role
  /** Whose password is reset. */
  readonly memberId: string | null
  readonly createdAt: Instant
  readonly createdBy: string
  readonly expiresAt: Instant
}
