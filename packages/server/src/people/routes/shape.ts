import { type Static, Type } from 'typebox'
import { invalidFields } from '../../base/errors.ts'
import { MADE_BY_CLI } from '../../core/api-key.ts'
import { toPublicId } from '../../core/id.ts'
import {
  type Invitation as CoreInvitation,
  type Member as CoreMember,
  toEmail,
} from '../../core/people/member.ts'
import { ROLE_NAMES } from '../../core/people/role.ts'
import { Name, nullable, publicId, Timestamp, toTimestamp } from '../../http/document/schemas.ts'
import type { CreatedLink } from '../links.ts'

export const MemberId = publicId('mem', 'a member')
export const InvitationId = publicId('inv', 'an invitation')
export const SessionId = publicId('ses', 'a session')
export const RoleName = Type.Enum([...ROLE_NAMES], { type: 'string' })

export const Email = Type.String({ minLength: 3, maxLength: 254, examples: ['ada@example.com'] })
/**
 * Any password up to this length is accepted here. The rules for passwords apply when one is chosen.
 */
export const Password = Type.String({ minLength: 1, maxLength: 1_024 })
/** Spaces and dashes are allowed anywhere. */
export const RecoveryCode = Type.String({ minLength: 16, maxLength: 64 })
export const Token = Type.String({ pattern: '^[A-Za-z0-9_-]{43}$' })

export const Member = Type.Object({
  id: MemberId,
  email: Email,
  name: Name,
  role: RoleName,
  createdAt: Timestamp,
  createdBy: Type.String(),
})

export const Invitation = Type.Object({
  id: InvitationId,
  kind: Type.Enum(['invite', 'setup'], { type: 'string' }),
  email: nullable(Email),
  name: nullable(Name),
  role: RoleName,
  createdAt: Timestamp,
  createdBy: Type.String(),
  expiresAt: Timestamp,
})

/** A link is shown once, to its creator. */
export const Link = Type.Object({
  token: Token,
  url: nullable(
    Type.String({
      description:
        'The page that opens the link. Null if the public URL of the gateway is not configured.',
    }),
  ),
  expiresAt: Timestamp,
})

/** The email address in its normalized spelling. */
export function readEmail(text: string): string {
  const email = toEmail(text)
  if (email !== undefined) return email
  const message = 'must be an e-mail address such as ada@example.com'
  throw invalidFields([{ path: '/email', code: 'email', message }])
}

/** Throws unless the body has exactly one of these fields. */
export function requireOne(fields: Readonly<Record<string, unknown>>): void {
  const names = Object.keys(fields)
  const given = names.filter((name) => fields[name] !== undefined)
  if (given.length === 1) return
  const [first = ''] = given.length === 0 ? names : given.slice(1)
  const code = given.length === 0 ? 'required' : 'not_allowed'
  const message = `is ${given.length === 0 ? 'required' : 'not allowed'}: send exactly one of ${names.join(' and ')}`
  throw invalidFields([{ path: `/${first}`, code, message }])
}

export function toMemberShape(member: CoreMember): Static<typeof Member> {
  const { email, name, createdAt, createdBy } = member
  return {
    id: toPublicId('mem', member.id),
    email,
    name,
    role: member.role,
    createdAt: toTimestamp(createdAt),
    createdBy: toMaker(createdBy),
  }
}

export function toInvitationShape(invitation: CoreInvitation): Static<typeof Invitation> {
  const { kind, email, name, createdAt, createdBy, expiresAt } = invitation
  return {
    id: toPublicId('inv', invitation.id),
    kind: kind === 'setup' ? 'setup' : 'invite',
    email,
    name,
    role: invitation.role,
    createdAt: toTimestamp(createdAt),
    createdBy: toMaker(createdBy),
    expiresAt: toTimestamp(expiresAt),
  }
}

function toMaker(createdBy: string): string {
  return createdBy === MADE_BY_CLI ? createdBy : toPublicId('mem', createdBy)
}

/** The page that opens the link. The browser never sends the part after #, so no log has it. */
export function toLink(
  { invitation, token }: CreatedLink,
  publicUrl: string | undefined,
): Static<typeof Link> {
  const url = publicUrl === undefined ? null : `${publicUrl}/accept#${token}`
  return { token, url, expiresAt: toTimestamp(invitation.expiresAt) }
}
