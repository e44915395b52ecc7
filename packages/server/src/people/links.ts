import { Problem } from '../base/errors.ts'
import {
  INVITATION_MS,
  type Invitation,
  type InvitationKind,
  type Member,
} from '../core/people/member.ts'
import { ROLE_NAMES, type Role } from '../core/people/role.ts'
import type { Instant } from '../core/time/instant.ts'
import type { Tx } from '../storage/engine/database.ts'
import { newId } from '../storage/new-id.ts'
import { countInvitations, insertInvitation } from '../storage/people/invitations.ts'
import { noteMemberLink } from '../storage/people/member-links.ts'
import { countMembers, findMemberByEmail } from '../storage/people/members.ts'
import { hashSecret, mintSecret } from '../storage/secrets/session-secret.ts'

/** More pending links than an organization needs. */
export const INVITATIONS_MAX = 100
export const MEMBERS_MAX = 1_000

/** A link that is shown once. Only its hash is stored. */
export interface CreatedLink {
  readonly invitation: Invitation
  readonly token: string
}

interface NewLink {
  readonly kind: InvitationKind
  readonly organizationId: string
  readonly email: string | null
  readonly name: string | null
  readonly role: Role
  readonly memberId: string | null
  readonly createdBy: string
}

/** Invites a person who is not yet a member. The caller has locked the organization. */
export async function createInvitation(
  tx: Tx,
  invited: Pick<NewLink, 'organizationId' | 'name' | 'role' | 'createdBy'> & {
    readonly email: string
  },
  now: Instant,
): Promise<CreatedLink> {
  const { organizationId, email } = invited
  const [member, open, members] = await Promise.all([
    findMemberByEmail(tx, organizationId, email),
    countInvitations(tx, organizationId, now, INVITATIONS_MAX),
    countMembers(tx, organizationId, { roles: ROLE_NAMES, most: MEMBERS_MAX }),
  ])
  if (member) throw memberExists()
  if (open >= INVITATIONS_MAX) throw tooMany(`${INVITATIONS_MAX} invitations are open`)
  if (members >= MEMBERS_MAX) throw tooMany(`there are ${MEMBERS_MAX} members`)
  return createLink(tx, { ...invited, kind: 'invite', memberId: null }, now)
}

/** Lets a member set a new password without the old one. */
export function createResetLink(
  tx: Tx,
  organizationId: string,
  { id: memberId, email, name, role }: Member,
  createdBy: string,
  now: Instant,
): Promise<CreatedLink> {
  const link = { kind: 'reset', organizationId, email, name, role, memberId, createdBy } as const
  noteMemberLink(tx, organizationId, { memberId, madeBy: createdBy, madeAt: now })
  return createLink(tx, link, now)
}

/** Creates the setup link. The first person to use it becomes the first owner. */
export function createSetupLink(
  tx: Tx,
  organizationId: string,
  createdBy: string,
  now: Instant,
): Promise<CreatedLink> {
  const nobody = { email: null, name: null, memberId: null }
  const link = { kind: 'setup', organizationId, role: 'owner', ...nobody, createdBy } as const
  return createLink(tx, link, now)
}

async function createLink(tx: Tx, link: NewLink, now: Instant): Promise<CreatedLink> {
  const token = mintSecret()
  const invitation = {
    ...link,
    id: newId(now),
    createdAt: now,
    expiresAt: now + INVITATION_MS,
  }
  await insertInvitation(tx, invitation, hashSecret(token))
  return { invitation, token }
}

function memberExists(): Problem {
  return new Problem(
    'member_exists',
    "The organization already has a member with this address. Change that member's role, or create a password-reset link.",
  )
}

function tooMany(why: string): Problem {
  return new Problem('people_limit_reached', `No further person can be invited: ${why}.`)
}
