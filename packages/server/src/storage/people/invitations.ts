import type { Invitation } from '../../core/people/member.ts'
import type { Role } from '../../core/people/role.ts'
import { type Instant, toIso } from '../../core/time/instant.ts'
import type { Queryable, Tx } from '../engine/database.ts'
import { type Page, type PageRequest, pageOf } from '../page.ts'

const COLUMNS = `
  id, organization_id as "organizationId", kind, email, name, role, member_id as "memberId",
  created_at as "createdAt", created_by as "createdBy", expires_at as "expiresAt"`

/**
 * Stores an invitation and removes older ones for the same address, member or set-up: only the
 * newest link works.
 */
export async function insertInvitation(
  tx: Tx,
  invitation: Invitation,
  tokenHash: Buffer,
): Promise<void> {
  const { organizationId, id, kind, email, name, role, memberId } = invitation
  const { createdAt, createdBy, expiresAt } = invitation
  tx.send({
    text: `delete from invitations
           where organization_id = $1 and kind = $2 and email is not distinct from $3`,
    values: [organizationId, kind, email],
  })
  await tx.query({
    text: `
      insert into invitations (organization_id, id, token_hash, kind, email, name, role, member_id,
                               created_at, created_by, expires_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    values: [
      ...[organizationId, id, tokenHash, kind, email, name, role, memberId],
      ...[toIso(createdAt), createdBy, toIso(expiresAt)],
    ],
  })
}

/** The open invitation for the address. A new invitation would replace it. */
export async function findOpenInvitation(
  tx: Tx,
  organizationId: string,
  email: string,
  now: Instant,
): Promise<Invitation | undefined> {
  const [invitation] = await tx.query<Invitation>({
    text: `select ${COLUMNS} from invitations
           where organization_id = $1 and kind = 'invite' and email = $2 and expires_at > $3`,
    values: [organizationId, email, toIso(now)],
  })
  return invitation
}

/** The only query that cannot name the organization: the token identifies it. */
export async function findInvitation(
  db: Queryable,
  tokenHash: Buffer,
): Promise<Invitation | undefined> {
  const [invitation] = await db.query<Invitation>({
    text: `select ${COLUMNS} from invitations where token_hash = $1`,
    values: [tokenHash],
  })
  return invitation
}

/** Takes the invitation, once: later callers get undefined, and so does a withdrawn invitation. */
export async function takeInvitation(
  tx: Tx,
  { organizationId, id }: Pick<Invitation, 'organizationId' | 'id'>,
): Promise<Invitation | undefined> {
  const [invitation] = await tx.query<Invitation>({
    text: `delete from invitations where organization_id = $1 and id = $2 returning ${COLUMNS}`,
    values: [organizationId, id],
  })
  return invitation
}

/** Unexpired invitations that create a member; password resets are left out. */
export function listInvitations(
  db: Queryable,
  organizationId: string,
  page: PageRequest,
  now: Instant,
): Promise<Page<Invitation>> {
  return pageOf<Invitation>(db, page, {
    columns: COLUMNS,
    from: 'invitations',
    conditions: [
      ['organization_id = ?', organizationId],
      ["kind <> 'reset'"],
      ['expires_at > ?', toIso(now)],
    ],
  })
}

/** The number of unexpired invitations; stops counting at `most`. */
export async function countInvitations(
  db: Queryable,
  organizationId: string,
  now: Instant,
  most: number,
): Promise<number> {
  const rows = await db.query({
    text: `select 1 from invitations where organization_id = $1 and expires_at > $2 limit $3`,
    values: [organizationId, toIso(now), most],
  })
  return rows.length
}

/** Whether the set-up link can still be used. */
export async function hasSetup(
  db: Queryable,
  organizationId: string,
  now: Instant,
): Promise<boolean> {
  const rows = await db.query({
    text: `select 1 from invitations
           where organization_id = $1 and kind = 'setup' and expires_at > $2`,
    values: [organizationId, toIso(now)],
  })
  return rows.length > 0
}

/** Ends the member's links for a new password, so that none of them works any more. */
export function withdrawResets(tx: Tx, organizationId: string, memberId: string): void {
  tx.send({
    text: 'delete from invitations where organization_id = $1 and member_id = $2',
    values: [organizationId, memberId],
  })
}

/**
 * Ends links that this member created for people with these roles: the creator may have kept the
 * token.
 */
export function withdrawLinksBy(
  tx: Tx,
  organizationId: string,
  memberId: string,
  roles: readonly Role[],
): void {
  tx.send({
    text: `delete from invitations
           where organization_id = $1 and created_by = $2 and role = any($3::text[])`,
    values: [organizationId, memberId, roles],
  })
}

/** Removes expired invitations, a bounded number per call. */
export async function removeEndedInvitations(db: Queryable, now: Instant): Promise<number> {
  const rows = await db.query({
    text: `
      delete from invitations where (organization_id, id) in (
        select organization_id, id from invitations where expires_at < $1 limit 1000)
      returning 1`,
    values: [toIso(now)],
  })
  return rows.length
}
