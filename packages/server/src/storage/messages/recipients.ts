import type { MessageKind } from '../../core/messages/kinds.ts'
import type { Role } from '../../core/people/role.ts'
import { type Instant, toIso } from '../../core/time/instant.ts'
import type { Queryable, Statement } from '../engine/database.ts'

/** A member and their choice of messages. */
export interface MessageMember {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly role: Role
  /** Null if the member has chosen none: then the defaults of the role apply. */
  readonly chosen: readonly string[] | null
}

const COLUMNS = 'm.id, m.email, m.name, m.role, c.kinds as chosen'
const FROM = `members m left join message_choices c
  on c.organization_id = m.organization_id and c.member_id = m.id`

/** The active members. An organization has a bounded number of them. */
export function listMessageMembers(
  db: Queryable,
  organizationId: string,
): Promise<MessageMember[]> {
  return db.query<MessageMember>({
    name: 'list-message-members',
    text: `select ${COLUMNS} from ${FROM}
           where m.organization_id = $1 and m.status = 'active' order by m.id`,
    values: [organizationId],
  })
}

/** Finds an active member. */
export async function findMessageMember(
  db: Queryable,
  organizationId: string,
  id: string,
): Promise<MessageMember | undefined> {
  const [member] = await db.query<MessageMember>({
    name: 'find-message-member',
    text: `select ${COLUMNS} from ${FROM}
           where m.organization_id = $1 and m.id = $2 and m.status = 'active'`,
    values: [organizationId, id],
  })
  return member
}

export function storeMessageChoice(
  organizationId: string,
  memberId: string,
  kinds: readonly MessageKind[],
  at: Instant,
): Statement {
  return {
    text: `insert into message_choices (organization_id, member_id, kinds, updated_at)
           values ($1, $2, $3::text[], $4)
           on conflict (organization_id, member_id)
             do update set kinds = excluded.kinds, updated_at = excluded.updated_at`,
    values: [organizationId, memberId, kinds, toIso(at)],
  }
}

/** The defaults of the role apply again. */
export function removeMessageChoice(organizationId: string, memberId: string): Statement {
  return {
    text: 'delete from message_choices where organization_id = $1 and member_id = $2',
    values: [organizationId, memberId],
  }
}
