import { MADE_BY_CLI } from '../core/api-key.ts'
import type { Invitation } from '../core/people/member.ts'
import { getOrganization } from '../storage/organizations.ts'
import { findInvitation } from '../storage/people/invitations.ts'
import { findMember } from '../storage/people/members.ts'
import { hashSecret } from '../storage/secrets/session-secret.ts'
import { linkEnded } from './accept.ts'
import { countOrRefuse, type SignInParts } from './counted-attempt.ts'

/** A link as its page shows it before the person chooses a password. */
export interface ReadLink {
  readonly invitation: Invitation
  readonly organization: string
  /** The name of the member who created the link. Undefined if the operator did. */
  readonly createdBy: string | undefined
}

/**
 * Reads an invitation or reset link without using it. Only failures count as attempts: a count that
 * a valid link resets would let its holder guess passwords without a limit.
 */
export async function readLink(
  parts: SignInParts,
  { token, address }: { readonly token: string; readonly address: string },
): Promise<ReadLink> {
  const { db, clock } = parts
  const [now, invitation] = await Promise.all([clock(db), findInvitation(db, hashSecret(token))])
  if (!invitation || invitation.expiresAt <= now || invitation.kind === 'setup') {
    await countOrRefuse(parts, { accounts: [], address }, [], now)
    parts.notes.add('failed', [], address)
    throw linkEnded()
  }
  const { organizationId, createdBy } = invitation
  const [organization, maker] = await Promise.all([
    getOrganization(db, organizationId),
    createdBy === MADE_BY_CLI ? undefined : findMember(db, organizationId, createdBy),
  ])
  return { invitation, organization: organization.name, createdBy: maker?.name }
}
