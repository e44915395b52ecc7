// Written by `npm run generate` from the routes of /console/api. Do not change it by hand.

import type { Environment, Scope } from '@purser/sdk'

export interface GetConsoleStateAnswer {
  /** Whether no organization has a member yet. */
  readonly needsSetup: boolean
  /** The name of the organization. Null unless there is exactly one. */
  readonly organization: string | null
  readonly environment: Environment
  readonly version: string
  /** The ways to sign in at this address. */
  readonly signIn: readonly ('password' | 'passkey')[]
  /**
   * The host name that passkeys belong to. Null if the page was opened at an IP address, where
   * browsers refuse passkeys.
   */
  readonly passkeyHost: string | null
}

export interface SignIn {
  readonly email: string
  readonly password?: string | undefined
  readonly recoveryCode?: string | undefined
  /** The id of the organization. */
  readonly organizationId?: string | undefined
}

export type RoleName = 'owner' | 'admin' | 'approver' | 'viewer'

export interface Member {
  /** The id of a member. */
  readonly id: string
  readonly email: string
  /**
   * A name for people to read, 1 to 120 characters. Control characters, invisible characters (such
   * as U+200B or U+3164) and text-direction marks are not allowed. U+200C and U+200D are allowed
   * where a script needs them (between letters, U+200D after a virama, U+200C between Arabic
   * letters and digits), and U+200D also in emoji.
   */
  readonly name: string
  readonly role: RoleName
  /** ISO 8601 timestamp in UTC. */
  readonly createdAt: string
  readonly createdBy: string
}

export interface Me {
  readonly member: Member
  readonly scopes: readonly Scope[]
  readonly organization: {
    /** The id of the organization. */
    readonly id: string
    readonly name: string
  }
}

export interface RequestOptions {
  readonly challenge: string
  readonly rpId: string
  readonly timeout: number
  readonly allowCredentials: readonly {
    readonly id: string
    readonly type: 'public-key'
    readonly transports: readonly string[]
  }[]
  readonly userVerification: 'required'
}

export interface UsedCredential {
  readonly id: string
  readonly rawId: string
  readonly type: 'public-key'
  readonly response: {
    readonly clientDataJSON: string
    readonly authenticatorData: string
    readonly signature: string
    readonly userHandle?: string | null | undefined
  }
}

export interface SignInWithPasskey {
  readonly credential: UsedCredential
}

export interface ReadLink {
  readonly token: string
}

export interface ReadLinkAnswer {
  readonly kind: 'invite' | 'reset'
  /** The name of the organization. */
  readonly organization: string
  /** The name of the member who created the link. Null if the operator did. */
  readonly createdBy: string | null
  readonly email: string | null
  /**
   * A name for people to read, 1 to 120 characters. Control characters, invisible characters (such
   * as U+200B or U+3164) and text-direction marks are not allowed. U+200C and U+200D are allowed
   * where a script needs them (between letters, U+200D after a virama, U+200C between Arabic
   * letters and digits), and U+200D also in emoji.
   */
  readonly name: string | null
  readonly role: RoleName
  /** ISO 8601 timestamp in UTC. */
  readonly expiresAt: string
}

export interface AcceptInvitation {
  readonly token: string
  /**
   * A name for people to read, 1 to 120 characters. Control characters, invisible characters (such
   * as U+200B or U+3164) and text-direction marks are not allowed. U+200C and U+200D are allowed
   * where a script needs them (between letters, U+200D after a virama, U+200C between Arabic
   * letters and digits), and U+200D also in emoji.
   */
  readonly name?: string | undefined
  readonly password: string
}

export interface SetUp {
  readonly token: string
  readonly email: string
  /**
   * A name for people to read, 1 to 120 characters. Control characters, invisible characters (such
   * as U+200B or U+3164) and text-direction marks are not allowed. U+200C and U+200D are allowed
   * where a script needs them (between letters, U+200D after a virama, U+200C between Arabic
   * letters and digits), and U+200D also in emoji.
   */
  readonly name?: string | undefined
  readonly password: string
  /**
   * A name for people to read, 1 to 120 characters. Control characters, invisible characters (such
   * as U+200B or U+3164) and text-direction marks are not allowed. U+200C and U+200D are allowed
   * where a script needs them (between letters, U+200D after a virama, U+200C between Arabic
   * letters and digits), and U+200D also in emoji.
   */
  readonly organization?: string | undefined
  readonly timezone?: string | undefined
  readonly currency?: string | undefined
}

export interface SignOutAnswer {
  readonly signedOut: true
}

export interface Reauthenticate {
  readonly password?: string | undefined
  readonly credential?: UsedCredential | undefined
}

export interface UpdateMe {
  /**
   * A name for people to read, 1 to 120 characters. Control characters, invisible characters (such
   * as U+200B or U+3164) and text-direction marks are not allowed. U+200C and U+200D are allowed
   * where a script needs them (between letters, U+200D after a virama, U+200C between Arabic
   * letters and digits), and U+200D also in emoji.
   */
  readonly name?: string | undefined
  readonly currentPassword?: string | undefined
  readonly newPassword?: string | undefined
}

export interface Session {
  /** The id of a session. */
  readonly id: string
  /** Whether this is the session of the request. */
  readonly current: boolean
  /** ISO 8601 timestamp in UTC. */
  readonly createdAt: string
  /** ISO 8601 timestamp in UTC. */
  readonly lastSeenAt: string
  /** ISO 8601 timestamp in UTC. */
  readonly endsAt: string
  readonly userAgent: string
  readonly address: string
}

export interface ListSessionsAnswer {
  readonly data: readonly Session[]
}

export interface EndOtherSessionsAnswer {
  readonly ended: number
}

export interface EndSessionAnswer {
  /** The id of a session. */
  readonly id: string
  readonly ended: true
}

export interface Passkey {
  /** The id of a passkey. */
  readonly id: string
  /**
   * A name for people to read, 1 to 120 characters. Control characters, invisible characters (such
   * as U+200B or U+3164) and text-direction marks are not allowed. U+200C and U+200D are allowed
   * where a script needs them (between letters, U+200D after a virama, U+200C between Arabic
   * letters and digits), and U+200D also in emoji.
   */
  readonly name: string
  /** Whether the passkey can be copied to other devices of its owner. */
  readonly synced: boolean
  /** ISO 8601 timestamp in UTC. */
  readonly createdAt: string
  /** ISO 8601 timestamp in UTC. */
  readonly lastUsedAt: string | null
}

export interface ListPasskeysAnswer {
  readonly data: readonly Passkey[]
}

export interface CreationOptions {
  readonly challenge: string
  readonly rp: {
    readonly id: string
    readonly name: string
  }
  readonly user: {
    readonly id: string
    readonly name: string
    readonly displayName: string
  }
  readonly pubKeyCredParams: readonly {
    readonly type: 'public-key'
    readonly alg: number
  }[]
  readonly timeout: number
  readonly excludeCredentials: readonly {
    readonly id: string
    readonly type: 'public-key'
    readonly transports: readonly string[]
  }[]
  readonly authenticatorSelection: {
    readonly residentKey: 'required'
    readonly requireResidentKey: true
    readonly userVerification: 'required'
  }
  readonly attestation: 'none'
}

export interface NewCredential {
  readonly id: string
  readonly rawId: string
  readonly type: 'public-key'
  readonly response: {
    readonly clientDataJSON: string
    readonly attestationObject: string
    readonly transports?: readonly string[] | undefined
  }
}

export interface RegisterPasskey {
  /**
   * A name for people to read, 1 to 120 characters. Control characters, invisible characters (such
   * as U+200B or U+3164) and text-direction marks are not allowed. U+200C and U+200D are allowed
   * where a script needs them (between letters, U+200D after a virama, U+200C between Arabic
   * letters and digits), and U+200D also in emoji.
   */
  readonly name: string
  readonly credential: NewCredential
}

export interface RenamePasskey {
  /**
   * A name for people to read, 1 to 120 characters. Control characters, invisible characters (such
   * as U+200B or U+3164) and text-direction marks are not allowed. U+200C and U+200D are allowed
   * where a script needs them (between letters, U+200D after a virama, U+200C between Arabic
   * letters and digits), and U+200D also in emoji.
   */
  readonly name: string
}

export interface RemovePasskeyAnswer {
  /** The id of a passkey. */
  readonly id: string
  readonly removed: true
}

export interface CountRecoveryCodesAnswer {
  /** How many codes can still be used. */
  readonly left: number
  /** ISO 8601 timestamp in UTC. */
  readonly createdAt: string | null
}

export interface CreateRecoveryCodesAnswer {
  /** Shown once; only hashes are stored. Earlier codes no longer work. */
  readonly codes: readonly string[]
}

export interface ListMembersQuery {
  /** How many entries a page has. */
  readonly limit?: number | undefined
  /** How many entries to skip. */
  readonly offset?: number | undefined
  /** The `nextCursor` of the previous page. Use it instead of `offset`. */
  readonly cursor?: string | undefined
}

export interface ListMembersAnswer {
  /** The entries of this page, newest first. */
  readonly data: readonly Member[]
  /** How many entries match in total. Counting stops at 10,000. */
  readonly total: number
  /** False if there are, or may be, more entries than `total`. */
  readonly totalIsExact: boolean
  /** The `limit` of the request. */
  readonly limit: number
  /** The `offset` of the request. */
  readonly offset: number
  /** Whether there is a next page. */
  readonly hasMore: boolean
  /** Pass this value as `cursor` to get the next page. Null on the last page. */
  readonly nextCursor: string | null
}

export interface UpdateMember {
  /**
   * A name for people to read, 1 to 120 characters. Control characters, invisible characters (such
   * as U+200B or U+3164) and text-direction marks are not allowed. U+200C and U+200D are allowed
   * where a script needs them (between letters, U+200D after a virama, U+200C between Arabic
   * letters and digits), and U+200D also in emoji.
   */
  readonly name?: string | undefined
  readonly role?: RoleName | undefined
}

export interface RemoveMemberAnswer {
  /** The id of a member. */
  readonly id: string
  readonly removed: true
}

export interface Link {
  readonly token: string
  /** The page that opens the link. Null if the public URL of the gateway is not configured. */
  readonly url: string | null
  /** ISO 8601 timestamp in UTC. */
  readonly expiresAt: string
}

export interface ListInvitationsQuery {
  /** How many entries a page has. */
  readonly limit?: number | undefined
  /** How many entries to skip. */
  readonly offset?: number | undefined
  /** The `nextCursor` of the previous page. Use it instead of `offset`. */
  readonly cursor?: string | undefined
}

export interface Invitation {
  /** The id of an invitation. */
  readonly id: string
  readonly kind: 'invite' | 'setup'
  readonly email: string | null
  /**
   * A name for people to read, 1 to 120 characters. Control characters, invisible characters (such
   * as U+200B or U+3164) and text-direction marks are not allowed. U+200C and U+200D are allowed
   * where a script needs them (between letters, U+200D after a virama, U+200C between Arabic
   * letters and digits), and U+200D also in emoji.
   */
  readonly name: string | null
  readonly role: RoleName
  /** ISO 8601 timestamp in UTC. */
  readonly createdAt: string
  readonly createdBy: string
  /** ISO 8601 timestamp in UTC. */
  readonly expiresAt: string
}

export interface ListInvitationsAnswer {
  /** The entries of this page, newest first. */
  readonly data: readonly Invitation[]
  /** How many entries match in total. Counting stops at 10,000. */
  readonly total: number
  /** False if there are, or may be, more entries than `total`. */
  readonly totalIsExact: boolean
  /** The `limit` of the request. */
  readonly limit: number
  /** The `offset` of the request. */
  readonly offset: number
  /** Whether there is a next page. */
  readonly hasMore: boolean
  /** Pass this value as `cursor` to get the next page. Null on the last page. */
  readonly nextCursor: string | null
}

export interface CreateInvitation {
  readonly email: string
  readonly role: RoleName
  /**
   * A name for people to read, 1 to 120 characters. Control characters, invisible characters (such
   * as U+200B or U+3164) and text-direction marks are not allowed. U+200C and U+200D are allowed
   * where a script needs them (between letters, U+200D after a virama, U+200C between Arabic
   * letters and digits), and U+200D also in emoji.
   */
  readonly name?: string | undefined
}

export interface CreateInvitationAnswer {
  /** The id of an invitation. */
  readonly id: string
  readonly kind: 'invite' | 'setup'
  readonly email: string | null
  /**
   * A name for people to read, 1 to 120 characters. Control characters, invisible characters (such
   * as U+200B or U+3164) and text-direction marks are not allowed. U+200C and U+200D are allowed
   * where a script needs them (between letters, U+200D after a virama, U+200C between Arabic
   * letters and digits), and U+200D also in emoji.
   */
  readonly name: string | null
  readonly role: RoleName
  /** ISO 8601 timestamp in UTC. */
  readonly createdAt: string
  readonly createdBy: string
  /** ISO 8601 timestamp in UTC. */
  readonly expiresAt: string
  readonly token: string
  /** The page that opens the link. Null if the public URL of the gateway is not configured. */
  readonly url: string | null
}

export interface WithdrawInvitationAnswer {
  /** The id of an invitation. */
  readonly id: string
  readonly withdrawn: true
}

export interface GetMessagesAnswer {
  /** Whether the gateway has an SMTP server. */
  readonly sendsMail: boolean
  /** The kinds that you can choose with your role. */
  readonly offered: readonly ('approvals' | 'budget' | 'endpoints')[]
  /** The kinds that you get by mail. */
  readonly kinds: readonly ('approvals' | 'budget' | 'endpoints')[]
  /** Whether `kinds` are the defaults of your role. */
  readonly isDefault: boolean
  readonly chat: {
    /** The origin of the URL. The rest of it is never shown. */
    readonly receiver: string
    readonly kinds: readonly ('approvals' | 'budget' | 'endpoints')[]
  } | null
}

export interface ChooseMessages {
  readonly kinds: readonly ('approvals' | 'budget' | 'endpoints')[] | null
}

export interface ChooseMessagesAnswer {
  /** Whether the gateway has an SMTP server. */
  readonly sendsMail: boolean
  /** The kinds that you can choose with your role. */
  readonly offered: readonly ('approvals' | 'budget' | 'endpoints')[]
  /** The kinds that you get by mail. */
  readonly kinds: readonly ('approvals' | 'budget' | 'endpoints')[]
  /** Whether `kinds` are the defaults of your role. */
  readonly isDefault: boolean
  readonly chat: {
    /** The origin of the URL. The rest of it is never shown. */
    readonly receiver: string
    readonly kinds: readonly ('approvals' | 'budget' | 'endpoints')[]
  } | null
}

export interface UpdateMessageChat {
  readonly url?: string | undefined
  readonly kinds?: readonly ('approvals' | 'budget' | 'endpoints')[] | undefined
}

export interface UpdateMessageChatAnswer {
  /** The origin of the URL. The rest of it is never shown. */
  readonly receiver: string
  readonly kinds: readonly ('approvals' | 'budget' | 'endpoints')[]
}

export interface RemoveMessageChatAnswer {
  readonly removed: true
}

/**
 * Every operation below `/console/api`: its inputs and its answer. An input that it does not take,
 * or an answer without a body, is undefined.
 */
export interface ConsoleOperations {
  readonly getConsoleState: {
    readonly method: 'GET'
    readonly path: '/state'
    readonly params: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answer: GetConsoleStateAnswer
  }
  /** Errors: `wrong_credentials`, `organization_required`. */
  readonly signIn: {
    readonly method: 'POST'
    readonly path: '/sign-in'
    readonly params: undefined
    readonly query: undefined
    readonly body: SignIn
    readonly answer: Me
  }
  /** Errors: `passkeys_unavailable`. */
  readonly getSignInOptions: {
    readonly method: 'POST'
    readonly path: '/session/passkey-options'
    readonly params: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answer: RequestOptions
  }
  /** Errors: `wrong_credentials`, `passkeys_unavailable`. */
  readonly signInWithPasskey: {
    readonly method: 'POST'
    readonly path: '/session/passkey'
    readonly params: undefined
    readonly query: undefined
    readonly body: SignInWithPasskey
    readonly answer: Me
  }
  /** Errors: `link_ended`. */
  readonly readLink: {
    readonly method: 'POST'
    readonly path: '/link'
    readonly params: undefined
    readonly query: undefined
    readonly body: ReadLink
    readonly answer: ReadLinkAnswer
  }
  /** Errors: `link_ended`, `member_exists`. */
  readonly acceptInvitation: {
    readonly method: 'POST'
    readonly path: '/accept'
    readonly params: undefined
    readonly query: undefined
    readonly body: AcceptInvitation
    readonly answer: Me
  }
  /** Errors: `link_ended`. */
  readonly setUp: {
    readonly method: 'POST'
    readonly path: '/setup'
    readonly params: undefined
    readonly query: undefined
    readonly body: SetUp
    readonly answer: Me
  }
  /** Errors: `member_not_found`. */
  readonly getMe: {
    readonly method: 'GET'
    readonly path: '/me'
    readonly params: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answer: Me
  }
  readonly signOut: {
    readonly method: 'POST'
    readonly path: '/sign-out'
    readonly params: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answer: SignOutAnswer
  }
  /** Errors: `wrong_credentials`, `member_not_found`, `passkeys_unavailable`. */
  readonly reauthenticate: {
    readonly method: 'POST'
    readonly path: '/reauthenticate'
    readonly params: undefined
    readonly query: undefined
    readonly body: Reauthenticate
    readonly answer: Me
  }
  /** Errors: `wrong_credentials`, `member_not_found`. */
  readonly updateMe: {
    readonly method: 'PATCH'
    readonly path: '/me'
    readonly params: undefined
    readonly query: undefined
    readonly body: UpdateMe
    readonly answer: Me
  }
  readonly listSessions: {
    readonly method: 'GET'
    readonly path: '/sessions'
    readonly params: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answer: ListSessionsAnswer
  }
  readonly endOtherSessions: {
    readonly method: 'DELETE'
    readonly path: '/sessions'
    readonly params: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answer: EndOtherSessionsAnswer
  }
  /** Errors: `session_not_found`. */
  readonly endSession: {
    readonly method: 'DELETE'
    readonly path: '/sessions/{id}'
    readonly params: { readonly id: string }
    readonly query: undefined
    readonly body: undefined
    readonly answer: EndSessionAnswer
  }
  readonly listPasskeys: {
    readonly method: 'GET'
    readonly path: '/passkeys'
    readonly params: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answer: ListPasskeysAnswer
  }
  /** Errors: `passkeys_unavailable`, `passkey_limit_reached`. */
  readonly getPasskeyOptions: {
    readonly method: 'POST'
    readonly path: '/passkeys/register-options'
    readonly params: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answer: CreationOptions
  }
  /** Errors: `passkeys_unavailable`, `passkey_limit_reached`, `passkey_refused`. */
  readonly registerPasskey: {
    readonly method: 'POST'
    readonly path: '/passkeys/register'
    readonly params: undefined
    readonly query: undefined
    readonly body: RegisterPasskey
    readonly answer: Passkey
  }
  /** Errors: `passkey_not_found`. */
  readonly renamePasskey: {
    readonly method: 'PATCH'
    readonly path: '/passkeys/{id}'
    readonly params: { readonly id: string }
    readonly query: undefined
    readonly body: RenamePasskey
    readonly answer: Passkey
  }
  /** Errors: `passkey_not_found`. */
  readonly removePasskey: {
    readonly method: 'DELETE'
    readonly path: '/passkeys/{id}'
    readonly params: { readonly id: string }
    readonly query: undefined
    readonly body: undefined
    readonly answer: RemovePasskeyAnswer
  }
  readonly countRecoveryCodes: {
    readonly method: 'GET'
    readonly path: '/recovery-codes'
    readonly params: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answer: CountRecoveryCodesAnswer
  }
  readonly createRecoveryCodes: {
    readonly method: 'POST'
    readonly path: '/recovery-codes'
    readonly params: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answer: CreateRecoveryCodesAnswer
  }
  readonly listMembers: {
    readonly method: 'GET'
    readonly path: '/members'
    readonly params: undefined
    readonly query: ListMembersQuery
    readonly body: undefined
    readonly answer: ListMembersAnswer
  }
  /** Errors: `member_not_found`, `last_owner`. */
  readonly updateMember: {
    readonly method: 'PATCH'
    readonly path: '/members/{id}'
    readonly params: { readonly id: string }
    readonly query: undefined
    readonly body: UpdateMember
    readonly answer: Member
  }
  /** Errors: `member_not_found`, `last_owner`. */
  readonly removeMember: {
    readonly method: 'DELETE'
    readonly path: '/members/{id}'
    readonly params: { readonly id: string }
    readonly query: undefined
    readonly body: undefined
    readonly answer: RemoveMemberAnswer
  }
  /** Errors: `member_not_found`. */
  readonly createResetLink: {
    readonly method: 'POST'
    readonly path: '/members/{id}/reset-link'
    readonly params: { readonly id: string }
    readonly query: undefined
    readonly body: undefined
    readonly answer: Link
  }
  readonly listInvitations: {
    readonly method: 'GET'
    readonly path: '/invitations'
    readonly params: undefined
    readonly query: ListInvitationsQuery
    readonly body: undefined
    readonly answer: ListInvitationsAnswer
  }
  /** Errors: `member_exists`, `people_limit_reached`. */
  readonly createInvitation: {
    readonly method: 'POST'
    readonly path: '/invitations'
    readonly params: undefined
    readonly query: undefined
    readonly body: CreateInvitation
    readonly answer: CreateInvitationAnswer
  }
  /** Errors: `invitation_not_found`. */
  readonly withdrawInvitation: {
    readonly method: 'DELETE'
    readonly path: '/invitations/{id}'
    readonly params: { readonly id: string }
    readonly query: undefined
    readonly body: undefined
    readonly answer: WithdrawInvitationAnswer
  }
  /** Errors: `member_not_found`. */
  readonly getMessages: {
    readonly method: 'GET'
    readonly path: '/messages'
    readonly params: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answer: GetMessagesAnswer
  }
  /** Errors: `member_not_found`. */
  readonly chooseMessages: {
    readonly method: 'PATCH'
    readonly path: '/messages'
    readonly params: undefined
    readonly query: undefined
    readonly body: ChooseMessages
    readonly answer: ChooseMessagesAnswer
  }
  readonly updateMessageChat: {
    readonly method: 'PATCH'
    readonly path: '/messages/chat'
    readonly params: undefined
    readonly query: undefined
    readonly body: UpdateMessageChat
    readonly answer: UpdateMessageChatAnswer
  }
  readonly removeMessageChat: {
    readonly method: 'DELETE'
    readonly path: '/messages/chat'
    readonly params: undefined
    readonly query: undefined
    readonly body: undefined
    readonly answer: RemoveMessageChatAnswer
  }
}

/** The method and the path of every operation below `/console/api`. */
export const CONSOLE_OPERATIONS = {
  getConsoleState: { method: 'GET', path: '/state' },
  signIn: { method: 'POST', path: '/sign-in' },
  getSignInOptions: { method: 'POST', path: '/session/passkey-options' },
  signInWithPasskey: { method: 'POST', path: '/session/passkey' },
  readLink: { method: 'POST', path: '/link' },
  acceptInvitation: { method: 'POST', path: '/accept' },
  setUp: { method: 'POST', path: '/setup' },
  getMe: { method: 'GET', path: '/me' },
  signOut: { method: 'POST', path: '/sign-out' },
  reauthenticate: { method: 'POST', path: '/reauthenticate' },
  updateMe: { method: 'PATCH', path: '/me' },
  listSessions: { method: 'GET', path: '/sessions' },
  endOtherSessions: { method: 'DELETE', path: '/sessions' },
  endSession: { method: 'DELETE', path: '/sessions/{id}' },
  listPasskeys: { method: 'GET', path: '/passkeys' },
  getPasskeyOptions: { method: 'POST', path: '/passkeys/register-options' },
  registerPasskey: { method: 'POST', path: '/passkeys/register' },
  renamePasskey: { method: 'PATCH', path: '/passkeys/{id}' },
  removePasskey: { method: 'DELETE', path: '/passkeys/{id}' },
  countRecoveryCodes: { method: 'GET', path: '/recovery-codes' },
  createRecoveryCodes: { method: 'POST', path: '/recovery-codes' },
  listMembers: { method: 'GET', path: '/members' },
  updateMember: { method: 'PATCH', path: '/members/{id}' },
  removeMember: { method: 'DELETE', path: '/members/{id}' },
  createResetLink: { method: 'POST', path: '/members/{id}/reset-link' },
  listInvitations: { method: 'GET', path: '/invitations' },
  createInvitation: { method: 'POST', path: '/invitations' },
  withdrawInvitation: { method: 'DELETE', path: '/invitations/{id}' },
  getMessages: { method: 'GET', path: '/messages' },
  chooseMessages: { method: 'PATCH', path: '/messages' },
  updateMessageChat: { method: 'PATCH', path: '/messages/chat' },
  removeMessageChat: { method: 'DELETE', path: '/messages/chat' },
} as const
