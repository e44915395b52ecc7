import type { LinkBehind } from '../../core/approvals/four-eyes.ts'
import { isUuid } from '../../core/id.ts'
import { type Instant, toIso } from '../../core/time/instant.ts'
import type { Queryable, Tx } from '../engine/database.ts'
import { plainArray } from '../engine/wire-array.ts'

/** A link that lets its holder sign in as a member: an invitation, or a password reset. */
export interface MemberLink {
  readonly memberId: string
  /** The member who created the link. */
  readonly madeBy: string
  /** When that member created the latest such link, or when one was used to set a new password. */
  readonly madeAt: Instant
}

/**
 * Stores who created a link for the member. `madeBy` has the form that invitations use. Links by
 * the operator, who is no member, are not stored. The caller has locked the organization.
 */
export function noteMemberLink(
  tx: Tx,
  organizationId: string,
  { memberId, madeBy, madeAt }: MemberLink,
): void {
  if (!isUuid(madeBy)) return
  tx.send({
    text: `
      insert into member_links (organization_id, member_id, made_by, made_at)
      values ($1, $2, $3, $4)
      on conflict (organization_id, member_id, made_by) do update
      set made_at = greatest(member_links.made_at, excluded.made_at)`,
    values: [organizationId, memberId, madeBy, toIso(madeAt)],
  })
}

/**
 * The links for these members since an instant, the links for their creators, and so on. An
 * invitation is older than its member and a password reset is younger, which tells them apart.
 */
export function listLinksBehind(
  db: Queryable,
  organizationId: string,
  memberIds: readonly string[],
  since: Instant,
): Promise<LinkBehind[]> {
  return db.query<LinkBehind>({
    text: `
      with recursive behind as (
        select member_id, made_by, made_at from member_links
        where organization_id = $1 and member_id = any($2::uuid[]) and made_at >= $3
        union
        select l.member_id, l.made_by, l.made_at from behind join member_links l
          on l.organization_id = $1 and l.member_id = behind.made_by and l.made_at >= $3
      )
      select b.member_id as "memberId", b.made_by as "madeBy", b.made_at as "madeAt",
             b.made_at > m.created_at as "isReset"
      from behind b join members m on m.organization_id = $1 and m.id = b.member_id`,
    values: [organizationId, plainArray(memberIds), toIso(since)],
  })
}
