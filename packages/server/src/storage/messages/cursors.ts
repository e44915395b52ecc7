import { idAt } from '../../core/id.ts'
import { type Instant, toIso } from '../../core/time/instant.ts'
import type { Queryable, Statement, Tx } from '../engine/database.ts'

/** How far the events of an organization were turned into messages. */
export interface MessageCursor {
  readonly readTo: bigint
  readonly failedTo: string
  readonly pausedTo: Instant
}

/**
 * Organizations with unread entries in their feeds, ordered by id and starting after this one, read
 * without locks.
 */
const listUnreadIn =
  (name: string, feeds: string) =>
  async (db: Queryable, after: string, limit: number): Promise<string[]> => {
    const rows = await db.query<{ organizationId: string }>({
      name,
      text: `
        select f.organization_id as "organizationId" from ${feeds}
        left join message_cursors c
          on c.organization_id = f.organization_id /*among c.organization_id*/
        where f.organization_id > $1 /*among f.organization_id*/ and (c.read_to is null or c.read_to < f.last_number)
        order by f.organization_id limit $2`,
      values: [after, limit],
    })
    return rows.map(({ organizationId }) => organizationId)
  }

export const listUnreadFeeds = listUnreadIn('list-unread-feeds', 'event_feeds f')

/** Only organizations with a chat: without mail, others have no recipient. */
export const listUnreadFeedsWithChat = listUnreadIn(
  'list-unread-feeds-with-chat',
  'message_chats h join event_feeds f on f.organization_id = h.organization_id /*among h.organization_id*/',
)

/**
 * Locks the cursor, so that one process at a time makes messages for the organization. Undefined if
 * there is none yet, or a different process has locked it.
 */
export async function lockMessageCursor(
  tx: Tx,
  organizationId: string,
): Promise<MessageCursor | undefined> {
  const [cursor] = await tx.query<MessageCursor>({
    name: 'lock-message-cursor',
    text: `select read_to as "readTo", failed_to as "failedTo", paused_to as "pausedTo"
           from message_cursors where organization_id = $1 for update skip locked`,
    values: [organizationId],
  })
  return cursor
}

/** Does nothing if there is a cursor. */
export function openMessageCursor(organizationId: string, readTo: bigint, at: Instant): Statement {
  return {
    text: `insert into message_cursors (organization_id, read_to, failed_to, paused_to)
           values ($1, $2, $3, $4) on conflict (organization_id) do nothing`,
    values: [organizationId, readTo, idAt(at), toIso(at)],
  }
}

export function moveMessageCursor(
  organizationId: string,
  { readTo, failedTo, pausedTo }: MessageCursor,
): Statement {
  return {
    name: 'move-message-cursor',
    text: `update message_cursors set read_to = $2, failed_to = $3, paused_to = $4
           where organization_id = $1`,
    values: [organizationId, readTo, failedTo, toIso(pausedTo)],
  }
}

/**
 * Organizations with failed deliveries or paused endpoints that no message mentions, as
 * `listUnreadFeeds`.
 */
export async function listUnreadFailures(
  db: Queryable,
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await db.query<{ organizationId: string }>({
    name: 'list-unread-failures',
    text: `
      select c.organization_id as "organizationId" from message_cursors c
      where c.organization_id > $1 /*among c.organization_id*/
        and (exists (select 1 from webhook_deliveries d
                     where d.organization_id = c.organization_id /*among d.organization_id*/
                       and d.status = 'failed'
                       and d.id > c.failed_to)
             or exists (select 1 from webhook_endpoints e
                        where e.organization_id = c.organization_id /*among e.organization_id*/
                          and not e.is_paused
                          and e.paused_at > c.paused_to))
      order by c.organization_id limit $2`,
    values: [after, limit],
  })
  return rows.map(({ organizationId }) => organizationId)
}
