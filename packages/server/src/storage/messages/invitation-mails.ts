import type { Invitation } from '../../core/people/member.ts'
import { type Instant, toIso } from '../../core/time/instant.ts'
import type { Queryable, Tx } from '../engine/database.ts'
import { newId } from '../new-id.ts'
import { MARK_BYTES, type Sealer } from '../secrets/sealed.ts'
import type { SealedValues } from '../secrets/sealed-values.ts'

/** Binds the token to its invitation. */
const purposeOf = (invitationId: string): string => `invitation mail ${invitationId}`

/** Bounds the mails that an organization can send to people who are not its members. */
const DAY_MS = 86_400_000
const TO_ADDRESS_MAX = 3
const IN_ALL_MAX = 200

/**
 * Queues the mail of an invitation, in the transaction that creates it. Only the hash of the token is
 * stored for good; the message keeps a sealed copy until it has ended. Queues nothing, and returns
 * false, if the address or the organization has used up the mails of a day.
 */
export async function queueInvitationMail(
  tx: Tx,
  sealer: Sealer,
  { organizationId, id, email, createdAt }: Invitation,
  token: string,
): Promise<boolean> {
  const [counts] = await tx.query<{ inAll: bigint; toAddress: bigint }>({
    text: `select count(*) as "inAll", count(*) filter (where address = $2) as "toAddress"
           from messages
           where organization_id = $1 and kind = 'invitation' and created_at > $3`,
    values: [organizationId, email, toIso(createdAt - DAY_MS)],
  })
  if (!counts || counts.inAll >= IN_ALL_MAX || counts.toAddress >= TO_ADDRESS_MAX) return false
  tx.send({
    text: `
      insert into messages (organization_id, id, channel, kind, recipient_id, items, item_count,
                            status, due_at, sealed_token, address, created_at)
      values ($1, $2, 'mail', 'invitation', $3, '{}', 1, 'waiting', $4, $5, $6, $4)`,
    values: [
      organizationId,
      newId(createdAt),
      id,
      toIso(createdAt),
      sealer.seal(organizationId, purposeOf(id), token),
      email,
    ],
  })
  return true
}

export function openInvitationToken(
  sealer: Sealer,
  organizationId: string,
  invitationId: string,
  sealed: Buffer,
): string {
  return sealer.open(organizationId, purposeOf(invitationId), sealed)
}

/** An invitation that can still be used, and the name of the member who created it. */
export interface MailedInvitation {
  readonly email: string
  readonly role: string
  readonly invitedBy: string | null
  readonly expiresAt: Instant
}

export async function findMailedInvitation(
  db: Queryable,
  organizationId: string,
  id: string,
  now: Instant,
): Promise<MailedInvitation | undefined> {
  const [invitation] = await db.query<Omit<MailedInvitation, 'invitedBy'> & { createdBy: string }>({
    name: 'find-mailed-invitation',
    text: `
      select email, role, expires_at as "expiresAt", created_by as "createdBy" from invitations
      where organization_id = $1 and id = $2 and kind = 'invite' and expires_at > $3`,
    values: [organizationId, id, toIso(now)],
  })
  if (!invitation) return undefined
  const { createdBy, ...found } = invitation
  // Not a join: invitations are not in the same place as members (ADR 27, rule 8).
  const [member] = await db.query<{ name: string }>({
    name: 'find-inviting-member',
    text: 'select name from members where organization_id = $1 and id::text = $2',
    values: [organizationId, createdBy],
  })
  return { ...found, invitedBy: member?.name ?? null }
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/** The sealed tokens, so that a rotation of the master key seals them again. */
export const INVITATION_TOKENS: SealedValues = {
  what: 'messages.sealed_token',
  async list(db, organizationId, { after: [after = FIRST_ID], mark, limit }) {
    const rows = await db.query<{ id: string; invitationId: string; sealed: Buffer }>({
      text: `
        select id, recipient_id as "invitationId", sealed_token as sealed from messages
        where organization_id = $1 and id > $2
          and substring(sealed_token from 1 for ${MARK_BYTES}) <> $3
        order by id limit $4`,
      values: [organizationId, after, mark, limit],
    })
    return rows.map(({ id, invitationId, sealed }) => ({
      place: [id],
      purpose: purposeOf(invitationId),
      sealed,
    }))
  },
  replace: (organizationId, { place: [id], sealed: before }, sealed) => ({
    text: `update messages set sealed_token = $4
           where organization_id = $1 and id = $2 and sealed_token = $3`,
    values: [organizationId, id, before, sealed],
  }),
}
