import type { Instant } from '../time/instant.ts'
import type { Role } from './role.ts'

/** A person who signs in to an organization. */
export interface Member {
  readonly id: string
  /** The spelling that `toEmail` returns. */
  readonly email: string
  readonly name: string
  readonly role: Role
  /** The row of a removed member stays, because records of their changes name them. */
  readonly status: 'active' | 'removed'
  readonly createdAt: Instant
  /** The id of the member who invited them, or `cli` for the operator. */
  readonly createdBy: string
}

const EMAIL_LENGTH_MAX = 254
const EMAIL_FORM = /^[^\s@\p{Cc}\p{Cf}]{1,64}@[^\s@\p{Cc}\p{Cf}]{1,253}$/u

/**
 * Normalizes an address, so that two spellings are not two people: trimmed, in NFC and in lower case.
 * Undefined for a text that cannot be an address. Whether mail arrives there does not matter, because
 * none is sent.
 */
export function toEmail(text: string): string | undefined {
  const email = text.trim().normalize('NFC').toLowerCase()
  return email.length <= EMAIL_LENGTH_MAX && EMAIL_FORM.test(email) ? email : undefined
}

/** The TTL of invitation, reset and set-up links. */
export const INVITATION_MS = 7 * 86_400_000

/** The purpose of a link: a new member, a forgotten password, or the first owner. */
export type InvitationKind = 'invite' | 'reset' | 'setup'

export interface Invitation {
  readonly id: string
  readonly organizationId: string
  readonly kind: InvitationKind
  /** Null only for the set-up, in which the first owner enters it. */
  readonly email: string | null
  /** The inviter's name for the person, who may choose a different one. */
  readonly name: string | null
  readonly role: Role
  /** The member whose password is reset. */
  readonly memberId: string | null
  readonly createdAt: Instant
  readonly createdBy: string
  readonly expiresAt: Instant
}
