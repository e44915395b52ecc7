import { type Static, Type } from 'typebox'
import { invalidFields } from '../../base/errors.ts'
import type { NewChange } from '../../core/change.ts'
import { toPublicId } from '../../core/id.ts'
import {
  MESSAGE_KINDS,
  type MessageKind,
  offeredKinds,
  wantedKinds,
} from '../../core/messages/kinds.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { App } from '../../http/app.ts'
import { nullable } from '../../http/document/schemas.ts'
import { recordedTransaction } from '../../http/record-change.ts'
import type { Queryable, Tx } from '../../storage/engine/database.ts'
import {
  chooseChatKinds,
  findMessageChat,
  type MessageChat,
  openChatUrl,
  removeMessageChat,
  storeMessageChat,
} from '../../storage/messages/chats.ts'
import { openMessageCursor } from '../../storage/messages/cursors.ts'
import {
  findMessageMember,
  removeMessageChoice,
  storeMessageChoice,
} from '../../storage/messages/recipients.ts'
import { findFeedEnd } from '../../storage/webhooks/hints.ts'
import { lockPeople, memberNotFound, requireReach } from '../manage.ts'
import { messageChoiceOf } from '../people-changes.ts'
import { type ConsoleParts, signedIn } from './console-parts.ts'

const Kind = Type.Enum([...MESSAGE_KINDS], { type: 'string' })
const Kinds = Type.Array(Kind, { maxItems: MESSAGE_KINDS.length, uniqueItems: true })

const Chat = Type.Object({
  receiver: Type.String({ description: 'The origin of the URL. The rest of it is never shown.' }),
  kinds: Kinds,
})

const OwnMessages = Type.Object({
  sendsMail: Type.Boolean({ description: 'Whether the gateway has an SMTP server.' }),
  offered: Type.Array(Kind, { description: 'The kinds that you can choose with your role.' }),
  kinds: Type.Array(Kind, { description: 'The kinds that you get by mail.' }),
  isDefault: Type.Boolean({ description: 'Whether `kinds` are the defaults of your role.' }),
  chat: nullable(Chat),
})

const Choice = Type.Object(
  { kinds: nullable(Kinds) },
  { additionalProperties: false, examples: [{ kinds: ['approvals'] }] },
)

const ChatChange = Type.Object(
  {
    url: Type.Optional(Type.String({ format: 'http-url', maxLength: 2_048 })),
    kinds: Type.Optional(Kinds),
  },
  { additionalProperties: false, minProperties: 1 },
)

/** The messages that a member wants, and the chat of the organization. */
export function messageRoutes(app: App, parts: ConsoleParts): void {
  const { db, write, clock, outbound } = parts

  app.route({
    method: 'GET',
    url: '/messages',
    schema: { operationId: 'getMessages', response: { 200: OwnMessages } },
    config: { problems: ['member_not_found'] },
    handler: ({ organizationId, principal }) =>
      readOwn(db, parts, { organizationId, memberId: principal.id }),
  })

  app.route({
    method: 'PATCH',
    url: '/messages',
    schema: { operationId: 'chooseMessages', body: Choice, response: { 200: OwnMessages } },
    config: { problems: ['member_not_found'] },
    handler: async (request) => {
      const { organizationId, id: memberId } = signedIn(request)
      const { kinds } = request.body
      await recordedTransaction(db, request, async (tx, record) => {
        const [member, now] = await Promise.all([
          findMessageMember(tx, organizationId, memberId),
          clock(tx),
        ])
        if (!member) throw memberNotFound(memberId)
        const { role } = member
        const extra = kinds?.findIndex((kind) => !offeredKinds(role).includes(kind)) ?? -1
        if (extra !== -1) throw notOffered(`/kinds/${extra}`, role)
        tx.send(
          kinds === null
            ? removeMessageChoice(organizationId, memberId)
            : storeMessageChoice(organizationId, memberId, kinds, now),
        )
        const before = wantedKinds(role, member.chosen)
        record(messageChoiceOf(member, { before, after: wantedKinds(role, kinds) }, now))
      })
      return readOwn(db, parts, { organizationId, memberId })
    },
  })

  app.route({
    method: 'PATCH',
    url: '/messages/chat',
    schema: { operationId: 'updateMessageChat', body: ChatChange, response: { 200: Chat } },
    config: { access: 'managers', sensitive: true },
    handler: async (request, reply) => {
      const { organizationId, body } = request
      const refusal = body.url === undefined ? undefined : await outbound.refusalOf(body.url)
      return write(request, reply, async (tx, record) => {
        if (refusal) throw invalidUrl(refusal.reason, refusal.text)
        const manager = signedIn(request)
        const { now, role } = await lockPeople(tx, clock, organizationId, manager)
        requireReach(role, 'viewer')
        const chat = await findMessageChat(tx, organizationId)
        const before = toldChat(parts, organizationId, chat)
        const { url = before.messageChatUrl, kinds = chat?.kinds ?? MESSAGE_KINDS } = body
        if (url === null) throw invalidUrl('required', 'is required, because there is no chat')
        if (body.url === undefined) tx.send(chooseChatKinds(organizationId, kinds, now))
        else await storeChat(tx, parts, organizationId, { url, kinds }, now)
        record(
          chatChange(organizationId, before, { messageChatUrl: url, messageKinds: kinds }, now),
        )
        const stored = await findMessageChat(tx, organizationId)
        return { receiver: stored?.receiver ?? '', kinds: [...kinds] }
      })
    },
  })

  app.route({
    method: 'DELETE',
    url: '/messages/chat',
    schema: {
      operationId: 'removeMessageChat',
      response: { 200: Type.Object({ removed: Type.Literal(true) }) },
    },
    config: { access: 'managers' },
    handler: async (request) => {
      const { organizationId } = request
      await recordedTransaction(db, request, async (tx, record) => {
        const { now, role } = await lockPeople(tx, clock, organizationId, signedIn(request))
        requireReach(role, 'viewer')
        const chat = await findMessageChat(tx, organizationId)
        tx.send(removeMessageChat(organizationId))
        record(chatChange(organizationId, toldChat(parts, organizationId, chat), NO_CHAT, now))
      })
      return { removed: true as const }
    },
  })
}

async function readOwn(
  db: Queryable,
  { sendsMail }: Pick<ConsoleParts, 'sendsMail'>,
  { organizationId, memberId }: { readonly organizationId: string; readonly memberId: string },
): Promise<Static<typeof OwnMessages>> {
  const [member, chat] = await Promise.all([
    findMessageMember(db, organizationId, memberId),
    findMessageChat(db, organizationId),
  ])
  if (!member) throw memberNotFound(memberId)
  return {
    sendsMail,
    offered: offeredKinds(member.role),
    kinds: wantedKinds(member.role, member.chosen),
    isDefault: member.chosen === null,
    chat: chat ? { receiver: chat.receiver, kinds: [...chat.kinds] } : null,
  }
}

/** News counts from here on, however long the gateways take to notice their first chat. */
async function storeChat(
  tx: Tx,
  { sealer }: Pick<ConsoleParts, 'sealer'>,
  organizationId: string,
  chat: { readonly url: string; readonly kinds: readonly MessageKind[] },
  now: Instant,
): Promise<void> {
  const end = await findFeedEnd(tx, organizationId)
  tx.send(openMessageCursor(organizationId, end, now))
  tx.send(storeMessageChat(sealer, organizationId, chat, now))
}

interface ToldChat extends Readonly<Record<string, unknown>> {
  /** The change record compares the whole URL, and shows its origin. */
  readonly messageChatUrl: string | null
  readonly messageKinds: readonly string[]
}

const NO_CHAT: ToldChat = { messageChatUrl: null, messageKinds: [] }

function toldChat(
  { sealer }: ConsoleParts,
  organizationId: string,
  chat: MessageChat | undefined,
): ToldChat {
  if (!chat) return NO_CHAT
  const messageChatUrl = openChatUrl(sealer, organizationId, chat)
  return { messageChatUrl, messageKinds: chat.kinds }
}

function chatChange(
  organizationId: string,
  before: ToldChat,
  after: ToldChat,
  at: Instant,
): NewChange {
  const subjectId = toPublicId('org', organizationId)
  return { operation: 'organization.updated', subjectId, at, before, after }
}

function invalidUrl(code: string, message: string) {
  return invalidFields([{ path: '/url', code, message }])
}

function notOffered(path: string, role: string) {
  const message = `is not offered to the role ${role}, which cannot answer approvals`
  return invalidFields([{ path, code: 'not_allowed', message }])
}
