import type { NewChange } from '../core/change.ts'
import { toPublicId } from '../core/id.ts'
import type { Invitation, Member } from '../core/people/member.ts'
import { type Instant, toIso } from '../core/time/instant.ts'
import type { Passkey } from '../storage/people/passkeys.ts'
import type { CreatedLink } from './links.ts'

/** A change record says that a password or link is new, and never contains it. */
const REPLACED = { password: 'replaced' }

/** The data of a new member. */
export type Joined = Pick<Member, 'id' | 'email' | 'name' | 'role'>

/** The change records about members. Members are identified by their id. */
function ofMember(
  operation: Extract<NewChange['operation'], `member.${string}`>,
  { id }: Pick<Member, 'id'>,
  at: Instant,
): Pick<NewChange, 'operation' | 'subjectId' | 'at'> {
  return { operation, subjectId: toPublicId('mem', id), at }
}

function toldOf({ email, name, role }: Joined): NewChange['after'] {
  return { email, name, role }
}

/**
 * Using a link signs the person in, so the record has their IP address. An owner from the settings of
 * the first start has none.
 */
export function joinedOf(member: Joined, address: string | undefined, at: Instant): NewChange {
  const after = { ...toldOf(member), address }
  return { ...ofMember('member.joined', member, at), before: null, after }
}

export function updateOf(before: Joined, after: Joined, at: Instant): NewChange {
  const told = { before: toldOf(before), after: toldOf(after) }
  return { ...ofMember('member.updated', before, at), ...told }
}

/** Changes that members make to their own account. */
export function ownChangeOf(
  member: Joined,
  given: { readonly name: string | undefined; readonly password: unknown },
  at: Instant,
): NewChange {
  const told = toldOf({ ...member, name: given.name ?? member.name })
  const after = given.password === undefined ? told : { ...told, ...REPLACED }
  return { ...ofMember('member.updated', member, at), before: toldOf(member), after }
}

export function removalOf({
  member,
  now,
}: {
  readonly member: Joined
  readonly now: Instant
}): NewChange {
  return { ...ofMember('member.removed', member, now), before: toldOf(member), after: null }
}

/** A reset link was created for a member. */
export function resetOf({ invitation }: CreatedLink): NewChange {
  const { memberId, createdAt, expiresAt } = invitation
  if (memberId === null) throw new Error('A reset link belongs to a member.')
  const link = { resetLinkExpiresAt: toIso(expiresAt) }
  const change = ofMember('member.reset_link_created', { id: memberId }, createdAt)
  return { ...change, before: {}, after: link }
}

/** A member has chosen other messages. */
export function messageChoiceOf(
  member: Pick<Member, 'id'>,
  { before, after }: { readonly before: readonly string[]; readonly after: readonly string[] },
  at: Instant,
): NewChange {
  const change = ofMember('member.updated', member, at)
  return { ...change, before: { messageKinds: before }, after: { messageKinds: after } }
}

/** A member has used a reset link. */
export function resetTakenOf(member: Joined, address: string, at: Instant): NewChange {
  const after = { ...REPLACED, address }
  return { ...ofMember('member.password_reset', member, at), before: {}, after }
}

/** A member has added, renamed or removed a passkey of their own. */
export function passkeyChangeOf(
  member: Pick<Member, 'id'>,
  { before, after }: { readonly before: NamedPasskey; readonly after: NamedPasskey },
  at: Instant,
): NewChange {
  const done = before === undefined ? 'added' : after === undefined ? 'removed' : 'renamed'
  const change = ofMember(`member.passkey_${done}`, member, at)
  return { ...change, before: toldPasskey(before), after: toldPasskey(after) }
}

type NamedPasskey = Pick<Passkey, 'id' | 'name'> | undefined

function toldPasskey(passkey: NamedPasskey): NonNullable<NewChange['after']> {
  if (passkey === undefined) return {}
  return { passkey: { id: toPublicId('psk', passkey.id), name: passkey.name } }
}

/** A member has created new recovery codes, which replace the old ones. */
export function recoveryCodesOf(member: Pick<Member, 'id'>, at: Instant): NewChange {
  const after = { recoveryCodes: 'replaced' }
  return { ...ofMember('member.recovery_codes_created', member, at), before: {}, after }
}

export function invitationOf({ invitation }: Pick<CreatedLink, 'invitation'>): NewChange {
  return {
    operation: 'invitation.created',
    subjectId: toPublicId('inv', invitation.id),
    at: invitation.createdAt,
    before: null,
    after: fieldsOf(invitation),
  }
}

export function withdrawalOf(invitation: Invitation, at: Instant): NewChange {
  return {
    operation: 'invitation.withdrawn',
    subjectId: toPublicId('inv', invitation.id),
    at,
    before: fieldsOf(invitation),
    after: null,
  }
}

function fieldsOf({ kind, email, name, role, expiresAt }: Invitation): NewChange['after'] {
  return { kind, email, name, role, expiresAt: toIso(expiresAt) }
}
