import { changeWords, fieldChanges } from './fields.ts'
import { type ChangeTeller, fieldsOf, named, type Told, textOf } from './pieces.ts'
import { signInWords } from './sign-ins.ts'

/** Change records about members, invitations and sign-ins. */
export const PEOPLE_TELLERS: Readonly<Record<string, ChangeTeller>> = {
  'member.joined': ({ after }) => members(`joined as ${textOf(after['role']) ?? 'a member'}`),
  'member.updated': ({ subject, before, after }, names) => ({
    what: [
      'changed the account of ',
      named(subject, names, before['name'] ?? after['name']),
      ...changeWords(fieldChanges(before, after, names)),
    ],
    icon: 'members',
  }),
  'member.removed': ({ subject, before }, names) => ({
    what: ['removed ', named(subject, names, before['name'])],
    icon: 'members',
  }),
  'member.reset_link_created': ({ subject }, names) => ({
    what: ['created a password-reset link for ', named(subject, names)],
    icon: 'members',
  }),
  'member.password_reset': () => members('set a new password with a reset link'),
  'member.passkey_added': ({ after }) => passkey('added', after['passkey']),
  'member.passkey_renamed': ({ after }) => passkey('renamed', after['passkey']),
  'member.passkey_removed': ({ before }) => passkey('removed', before['passkey']),
  'member.recovery_codes_created': () => members('created new recovery codes'),
  'invitation.created': ({ after }) =>
    members(`invited ${textOf(after['email']) ?? 'a person'}${asRole(after['role'])}`),
  'invitation.withdrawn': ({ before }) =>
    members(`withdrew the invitation of ${textOf(before['email']) ?? 'a person'}`),
  'sign_in.succeeded': signIn,
  'sign_in.failed': signIn,
  'sign_in.locked': signIn,
  'sign_in.refused': signIn,
}

function members(what: string): Told {
  return { what: [what], icon: 'members' }
}

function asRole(role: unknown): string {
  const text = textOf(role)
  return text === undefined ? '' : ` as ${text}`
}

function passkey(verb: string, value: unknown): Told {
  const name = textOf(fieldsOf(value)['name']) ?? 'without a name'
  return { what: [`${verb} the passkey `, { strong: name }], icon: 'sign_in' }
}

/** The gateway records failed sign-ins, but the sentence is about the account. */
function signIn(...[{ kind, after }, names]: Parameters<ChangeTeller>): Told {
  const member = textOf(after['memberId'])
  const who = (member && names.nameOf(member)) ?? textOf(after['email'])
  return { ...(who ? { who } : {}), what: signInWords(kind, after, names), icon: 'sign_in' }
}
