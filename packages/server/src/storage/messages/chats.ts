import { receiverOf } from '../../core/change.ts'
import type { MessageKind } from '../../core/messages/kinds.ts'
import { type Instant, toIso } from '../../core/time/instant.ts'
import type { Queryable, Statement } from '../engine/database.ts'
import { MARK_BYTES, type Sealer } from '../secrets/sealed.ts'
import type { SealedValues } from '../secrets/sealed-values.ts'

/** The chat to which an organization's messages go. The whole URL is a secret. */
export interface MessageChat {
  /** The origin of the URL. */
  readonly receiver: string
  readonly kinds: readonly MessageKind[]
  readonly sealed: Buffer
}

const PURPOSE = 'message chat'

export async function findMessageChat(
  db: Queryable,
  organizationId: string,
): Promise<MessageChat | undefined> {
  const [chat] = await db.query<MessageChat>({
    name: 'find-message-chat',
    text: 'select receiver, kinds, sealed from message_chats where organization_id = $1',
    values: [organizationId],
  })
  return chat
}

/** Whether an organization has a chat, or a message to a removed chat has not ended yet. */
export async function hasMessageChats(db: Queryable): Promise<boolean> {
  const rows = await db.query({
    name: 'has-message-chats',
    text: `
      (select 1 from message_chats limit 1) union all
      (select 1 from messages where status = 'waiting' and channel = 'chat' limit 1)`,
  })
  return rows.length > 0
}

export function openChatUrl(
  sealer: Sealer,
  organizationId: string,
  { sealed }: MessageChat,
): string {
  return sealer.open(organizationId, PURPOSE, sealed)
}

export function storeMessageChat(
  sealer: Sealer,
  organizationId: string,
  { url, kinds }: { readonly url: string; readonly kinds: readonly MessageKind[] },
  at: Instant,
): Statement {
  const sealed = sealer.seal(organizationId, PURPOSE, url)
  return {
    text: `insert into message_chats (organization_id, receiver, sealed, kinds, updated_at)
           values ($1, $2, $3, $4::text[], $5)
           on conflict (organization_id) do update
             set receiver = excluded.receiver, sealed = excluded.sealed, kinds = excluded.kinds,
                 updated_at = excluded.updated_at`,
    values: [organizationId, receiverOf(url), sealed, kinds, toIso(at)],
  }
}

/** Changes the kinds and keeps the URL. */
export function chooseChatKinds(
  organizationId: string,
  kinds: readonly MessageKind[],
  at: Instant,
): Statement {
  return {
    text: 'update message_chats set kinds = $2::text[], updated_at = $3 where organization_id = $1',
    values: [organizationId, kinds, toIso(at)],
  }
}

export function removeMessageChat(organizationId: string): Statement {
  return {
    text: 'delete from message_chats where organization_id = $1',
    values: [organizationId],
  }
}

/** The sealed URLs, so that a rotation of the master key seals them again. */
export const MESSAGE_CHATS: SealedValues = {
  what: 'message_chats.sealed',
  async list(db, organizationId, { after, mark }) {
    if (after.length > 0) return []
    const rows = await db.query<{ sealed: Buffer }>({
      text: `select sealed from message_chats
             where organization_id = $1 and substring(sealed from 1 for ${MARK_BYTES}) <> $2`,
      values: [organizationId, mark],
    })
    return rows.map(({ sealed }) => ({ place: [organizationId], purpose: PURPOSE, sealed }))
  },
  replace: (organizationId, { sealed: before }, sealed) => ({
    text: 'update message_chats set sealed = $3 where organization_id = $1 and sealed = $2',
    values: [organizationId, before, sealed],
  }),
}
