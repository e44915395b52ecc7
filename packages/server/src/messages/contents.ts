import { readMayDecide } from '../approvals/may-decide.ts'
import type { Approval } from '../core/approvals/approval.ts'
import { toPublicId } from '../core/id.ts'
import { wantedKinds } from '../core/messages/kinds.ts'
import {
  approvalsText,
  budgetText,
  endpointsText,
  type Frame,
  invitationText,
  type MessageText,
} from '../core/messages/texts.ts'
import { percentOf, showMoney } from '../core/money.ts'
import { scopesOf } from '../core/people/role.ts'
import type { Principal } from '../core/principal.ts'
import type { Instant } from '../core/time/instant.ts'
import { listPendingApprovals } from '../storage/approvals/approvals.ts'
import type { Queryable } from '../storage/engine/database.ts'
import { findMessageChat, openChatUrl } from '../storage/messages/chats.ts'
import { findMailedInvitation, openInvitationToken } from '../storage/messages/invitation-mails.ts'
import type { ClaimedMessage } from '../storage/messages/outbox.ts'
import { findMessageMember, type MessageMember } from '../storage/messages/recipients.ts'
import { listBudgetFigures, listPausedAfter, readStillFailed } from '../storage/messages/sources.ts'
import { readNames } from '../storage/names.ts'
import { getOrganization } from '../storage/organizations.ts'
import type { Sealer } from '../storage/secrets/sealed.ts'

/** Every pause is later. */
const BEGINNING: Instant = 0

export interface ContentParts {
  readonly db: Queryable
  readonly sealer: Sealer
  readonly publicUrl: () => string | undefined
}

/** A message that can be sent: to an e-mail address, or to the URL of a chat. */
export interface Written {
  readonly to: string
  readonly text: MessageText
}

/**
 * Writes a message from the rows as they are now. Undefined if there is nothing left to say: the
 * approvals are answered, the invitation is withdrawn, or the recipient is gone or no longer wants it.
 */
export async function writeMessage(
  parts: ContentParts,
  organizationId: string,
  message: ClaimedMessage,
  now: Instant,
): Promise<Written | undefined> {
  const { db, publicUrl } = parts
  const { name: organization } = await getOrganization(db, organizationId)
  const frame = { organization, publicUrl: publicUrl() }
  const subject = { parts, organizationId, frame, message, now }
  if (message.kind === 'invitation') return writeInvitation(subject)
  if (message.channel === 'chat') {
    const chat = await findMessageChat(db, organizationId)
    if (!chat?.kinds.some((kind) => kind === message.kind)) return undefined
    const text = await writeText(subject, undefined)
    return text && { to: openChatUrl(parts.sealer, organizationId, chat), text }
  }
  const member = await findMessageMember(db, organizationId, message.recipientId)
  if (!member) return undefined
  const wanted = wantedKinds(member.role, member.chosen)
  if (!wanted.some((kind) => kind === message.kind)) return undefined
  const text = await writeText(subject, member)
  return text && { to: member.email, text }
}

interface Subject {
  readonly parts: ContentParts
  readonly organizationId: string
  readonly frame: Frame
  readonly message: ClaimedMessage
  readonly now: Instant
}

async function writeInvitation(subject: Subject): Promise<Written | undefined> {
  const { parts, organizationId, frame, message, now } = subject
  const { recipientId: id, sealedToken } = message
  const invitation = await findMailedInvitation(parts.db, organizationId, id, now)
  if (!invitation || sealedToken === null) return undefined
  const token = openInvitationToken(parts.sealer, organizationId, id, sealedToken)
  const { email, invitedBy, role, expiresAt } = invitation
  const said = { invitedBy: invitedBy ?? undefined, role, token, expiresAt }
  return { to: email, text: invitationText(frame, said) }
}

/** `member` is undefined for a chat. */
function writeText(
  subject: Subject,
  member: MessageMember | undefined,
): Promise<MessageText | undefined> {
  switch (subject.message.kind) {
    case 'approvals':
      return writeApprovals(subject, member)
    case 'budget':
      return writeBudget(subject)
    default:
      return writeEndpoints(subject)
  }
}

async function writeApprovals(
  { parts: { db }, organizationId, frame, message, now }: Subject,
  member: MessageMember | undefined,
): Promise<MessageText | undefined> {
  const pending = await listPendingApprovals(db, organizationId, message.items, now)
  const told = member ? await answerable(db, organizationId, member, pending, now) : pending
  if (told.length === 0) return undefined
  const agents = told.map(({ agentId }) => agentId)
  const nameOf = await readNames(db, organizationId, { agents, mandates: [], vendors: [] })
  const lines = told.map(({ id, agentId, amount, currency, vendor, expiresAt }) => ({
    id: toPublicId('apr', id),
    agent: nameOf('agent', agentId) ?? 'an agent',
    amount: showMoney(amount, currency),
    ...{ vendor, expiresAt },
  }))
  return approvalsText(frame, lines, message.itemCount - message.items.length)
}

/** The approvals that the member may answer: never their own, and by four eyes if required. */
async function answerable(
  db: Queryable,
  organizationId: string,
  { id, name, role }: MessageMember,
  approvals: readonly Approval[],
  now: Instant,
): Promise<Approval[]> {
  const viewer: Principal = {
    ...{ kind: 'member', id, organizationId, name, prefix: id },
    ...{ scopes: scopesOf(role), agentIds: null, expiresAt: null },
  }
  const reasonOf = await readMayDecide(db, viewer, approvals, now)
  return approvals.filter((approval) => reasonOf(approval) === null)
}

async function writeBudget({
  parts: { db },
  organizationId,
  frame,
  message,
}: Subject): Promise<MessageText | undefined> {
  const figures = await listBudgetFigures(db, organizationId, message.items)
  // The message names a mandate once, with its last figures, also if it reached several levels.
  const byMandate = new Map(figures.map((figure) => [figure.mandateId, figure]))
  if (byMandate.size === 0) return undefined
  const last = [...byMandate.values()]
  const nameOf = await readNames(db, organizationId, {
    agents: last.map(({ agentId }) => agentId),
    mandates: last.map(({ mandateId }) => mandateId),
    vendors: [],
  })
  const notes = last.map(({ mandateId, agentId, budgetSpent, budgetTotal, currency }) => ({
    mandate: nameOf('mandate', mandateId),
    mandateId: toPublicId('mnd', mandateId),
    agent: nameOf('agent', agentId) ?? 'an agent',
    spent: showMoney(budgetSpent, currency),
    total: showMoney(budgetTotal, currency),
    percent: Math.min(100, percentOf(budgetSpent, budgetTotal)),
  }))
  return budgetText(frame, notes, message.itemCount - message.items.length)
}

async function writeEndpoints({
  parts: { db },
  organizationId,
  frame,
  message: { items, itemCount },
}: Subject): Promise<MessageText | undefined> {
  const failed = await readStillFailed(db, organizationId, items)
  const paused = await listPausedAfter(db, organizationId, BEGINNING)
  const told = paused.filter(({ id }) => items.includes(id))
  if (failed.count + told.length === 0) return undefined
  // Items that the message has no room for are failed deliveries.
  const more = failed.count === 0 ? 0 : itemCount - items.length
  return endpointsText(frame, {
    paused: told.map(({ receiver }) => receiver),
    failed: failed.count + more,
    receivers: failed.receivers,
  })
}
