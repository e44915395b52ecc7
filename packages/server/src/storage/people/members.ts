import type { Member } from '../../core/people/member.ts'
import type { Role } from '../../core/people/role.ts'
import { type Instant, toIso } from '../../core/time/instant.ts'
import type { Queryable, Tx } from '../engine/database.ts'
import { type Page, type PageRequest, pageOf } from '../page.ts'
import { removePasskeysAndCodes } from './passkeys.ts'

const COLUMNS = `
  id, email, name, role, status, created_at as "createdAt", created_by as "createdBy"`

/** Stores a member, who can sign in with the address from then on. */
export async function insertMember(
  tx: Tx,
  organizationId: string,
  member: Omit<Member, 'status'>,
): Promise<void> {
  const { id, email, name, role, createdAt, createdBy } = member
  tx.send({
    text: `
      insert into members (organization_id, id, email, name, role, status, created_at, created_by, updated_at)
      values ($1, $2, $3, $4, $5, 'active', $6, $7, $6)`,
    values: [organizationId, id, email, name, role, toIso(createdAt), createdBy],
  })
  await tx.query({
    text: 'insert into sign_in_members (email, organization_id, member_id) values ($1, $2, $3)',
    values: [email, organizationId, id],
  })
}

/** Finds an active member. */
export async function findMember(
  db: Queryable,
  organizationId: string,
  id: string,
): Promise<Member | undefined> {
  const [member] = await db.query<Member>({
    text: `select ${COLUMNS} from members
           where organization_id = $1 and id = $2 and status = 'active'`,
    values: [organizationId, id],
  })
  return member
}

/**
 * Finds an active member under a shared lock, so that the member stays active until the end of the
 * transaction: a removal or change waits for it, or has committed before and is seen.
 */
export async function holdMember(
  tx: Tx,
  organizationId: string,
  id: string,
): Promise<Member | undefined> {
  const [member] = await tx.query<Member>({
    text: `select ${COLUMNS} from members
           where organization_id = $1 and id = $2 and status = 'active' for share`,
    values: [organizationId, id],
  })
  return member
}

export async function findMemberByEmail(
  db: Queryable,
  organizationId: string,
  email: string,
): Promise<Member | undefined> {
  const [member] = await db.query<Member>({
    text: `select ${COLUMNS} from members
           where organization_id = $1 and email = $2 and status = 'active'`,
    values: [organizationId, email],
  })
  return member
}

export function listMembers(
  db: Queryable,
  organizationId: string,
  page: PageRequest,
): Promise<Page<Member>> {
  return pageOf<Member>(db, page, {
    columns: COLUMNS,
    from: 'members',
    conditions: [['organization_id = ?', organizationId], ["status = 'active'"]],
  })
}

/** The number of active members with one of the roles; stops counting at `most`. */
export async function countMembers(
  db: Queryable,
  organizationId: string,
  { roles, most }: { readonly roles: readonly Role[]; readonly most: number },
): Promise<number> {
  const rows = await db.query({
    text: `select 1 from members
           where organization_id = $1 and status = 'active' and role = any($2::text[]) limit $3`,
    values: [organizationId, roles, most],
  })
  return rows.length
}

export interface MemberChange {
  readonly name?: string | undefined
  readonly role?: Role | undefined
}

/**
 * Fields that the change does not name keep their current values, even if the caller has read older
 * ones: a member who edits their own name must not regain a role that was taken away meanwhile.
 * Returns undefined if there is no such active member.
 */
export async function updateMember(
  tx: Tx,
  organizationId: string,
  id: string,
  { name, role }: MemberChange,
  now: Instant,
): Promise<Member | undefined> {
  const [member] = await tx.query<Member>({
    text: `update members
           set name = coalesce($3, name), role = coalesce($4, role), updated_at = $5
           where organization_id = $1 and id = $2 and status = 'active'
           returning ${COLUMNS}`,
    values: [organizationId, id, name ?? null, role ?? null, toIso(now)],
  })
  return member
}

/** Ends the member's access and deletes the password, passkeys and recovery codes. The row stays. */
export async function removeMember(
  tx: Tx,
  organizationId: string,
  { id, email }: Pick<Member, 'id' | 'email'>,
  now: Instant,
): Promise<void> {
  tx.send({
    text: `update members set status = 'removed', updated_at = $3
           where organization_id = $1 and id = $2`,
    values: [organizationId, id, toIso(now)],
  })
  tx.send({
    text: 'delete from authenticators where organization_id = $1 and member_id = $2',
    values: [organizationId, id],
  })
  removePasskeysAndCodes(tx, { organizationId, memberId: id })
  await tx.query({
    text: 'delete from sign_in_members where email = $1 and organization_id = $2',
    values: [email, organizationId],
  })
}
