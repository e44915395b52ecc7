import { type Static, Type } from 'typebox'
import { SCOPES } from '../../core/api-key.ts'
import { toPublicId } from '../../core/id.ts'
import { scopesOf } from '../../core/people/role.ts'
import { publicId } from '../../http/document/schemas.ts'
import type { Queryable } from '../../storage/engine/database.ts'
import { getOrganization } from '../../storage/organizations.ts'
import { findMember } from '../../storage/people/members.ts'
import type { Membership } from '../../storage/people/sign-in-names.ts'
import { memberNotFound } from '../manage.ts'
import { Member, toMemberShape } from './shape.ts'

/** The signed-in member, their organization and their permissions. */
export const Me = Type.Object({
  member: Member,
  scopes: Type.Array(Type.Enum([...SCOPES], { type: 'string' })),
  organization: Type.Object({ id: publicId('org', 'the organization'), name: Type.String() }),
})

export async function readMe(
  db: Queryable,
  { organizationId, memberId }: Membership,
): Promise<Static<typeof Me>> {
  const [member, organization] = await Promise.all([
    findMember(db, organizationId, memberId),
    getOrganization(db, organizationId),
  ])
  // The member was removed after the session was checked.
  if (!member) throw memberNotFound(memberId)
  return {
    member: toMemberShape(member),
    scopes: [...(scopesOf(member.role) ?? SCOPES)],
    organization: { id: toPublicId('org', organization.id), name: organization.name },
  }
}
