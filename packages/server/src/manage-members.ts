import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from './config.ts'
import { OPERATOR } from './core/actor.ts'
import { MADE_BY_CLI } from './core/api-key.ts'
import { toPublicId } from './core/id.ts'
import { type Member, toEmail } from './core/people/member.ts'
import { isRole, ROLE_NAMES, type Role } from './core/people/role.ts'
import { toIso } from './core/time/instant.ts'
import {
  type CreatedLink,
  createInvitation,
  createResetLink,
  createSetupLink,
} from './people/links.ts'
import { endMembership, lockManaged, lockPeople } from './people/manage.ts'
import { invitationOf, removalOf, resetOf } from './people/people-changes.ts'
import { findTheOrganization, type Storage } from './setup.ts'
import { recordChange } from './storage/changes.ts'
import { readClock } from './storage/engine/clock.ts'
import type { Queryable, Tx } from './storage/engine/database.ts'
import { listOrganizations, lockOrganization } from './storage/organizations.ts'
import { findInvitation, hasSetup } from './storage/people/invitations.ts'
import { countMembers, findMemberByEmail, listMembers } from './storage/people/members.ts'
import { writeSecretFile } from './storage/secrets/secret-file.ts'
import { hashSecret } from './storage/secrets/session-secret.ts'

/** What the operator does about people, on the storage itself. All of it throws with a sentence. */
type OpenStorage = Pick<Storage, 'db'>

/** Which organization is meant, by the API's id; needed where there are several. */
interface Named {
  readonly organizationId: string | undefined
}

export interface IssuedLink {
  readonly organizationId: string
  readonly email: string
  readonly role: Role
  /** Shown once; only its hash is stored. */
  readonly token: string
  readonly expiresAt: string
}

const SETUP_FILE = 'setup-token'
const LISTED_MAX = 1_000

export function readRole(text: string): Role {
  if (isRole(text)) return text
  throw new Error(`${JSON.stringify(text)} is no role. The roles are ${ROLE_NAMES.join(', ')}.`)
}

/** Invites somebody; an owner as well, which is how an organization without people gets its first. */
export function inviteMember(
  { db }: OpenStorage,
  wanted: Named & { readonly email: string; readonly role: Role; readonly name: string | null },
): Promise<IssuedLink> {
  const email = readAddress(wanted.email)
  return db.transaction(async (tx) => {
    const organizationId = await findTheOrganization(tx, wanted.organizationId)
    const { now } = await lockPeople(tx, readClock, organizationId, undefined)
    const { role, name } = wanted
    const invited = { organizationId, email, name, role, createdBy: MADE_BY_CLI }
    const link = await createInvitation(tx, invited, now)
    recordChange(tx, organizationId, OPERATOR, invitationOf(link))
    return toIssued(link, email)
  })
}

/** Lets a member choose another password. */
export function issueResetLink(
  { db }: OpenStorage,
  wanted: Named & { readonly email: string },
): Promise<IssuedLink> {
  return db.transaction(async (tx) => {
    const { organizationId, member } = await findNamed(tx, wanted)
    const id = member.id
    const locked = await lockManaged(tx, readClock, { organizationId, manager: undefined, id })
    const { now } = locked
    const link = await createResetLink(tx, organizationId, locked.member, MADE_BY_CLI, now)
    recordChange(tx, organizationId, OPERATOR, resetOf(link))
    return toIssued(link, member.email)
  })
}

/** Ends a membership, with its sessions. */
export function dismissMember(
  { db }: OpenStorage,
  wanted: Named & { readonly email: string },
): Promise<string> {
  return db.transaction(async (tx) => {
    const { organizationId, member } = await findNamed(tx, wanted)
    const of = { organizationId, manager: undefined, id: member.id }
    const managed = await lockManaged(tx, readClock, of)
    await endMembership(tx, organizationId, managed)
    recordChange(tx, organizationId, OPERATOR, removalOf(managed))
    return member.email
  })
}

export interface ListedMember extends Pick<Member, 'email' | 'name' | 'role'> {
  readonly id: string
  readonly createdAt: string
}

/** Newest first. */
export async function readMembers(
  { db }: OpenStorage,
  { organizationId: named }: Named,
): Promise<ListedMember[]> {
  const organizationId = await findTheOrganization(db, named)
  const all = { limit: LISTED_MAX, offset: 0, after: undefined }
  const { rows } = await listMembers(db, organizationId, all)
  return rows.map(({ id, email, name, role, createdAt }) => ({
    id: toPublicId('mem', id),
    email,
    name,
    role,
    createdAt: toIso(createdAt),
  }))
}

/**
 * The file with the token of the first owner. While the only organization has no member, and no token
 * that still counts, one is made: of processes that start at once only one makes it. The file is on disk
 * before the transaction commits. Undefined if there is nothing to set up, or if the token that counts is
 * in a file elsewhere.
 */
export function prepareSetup(
  { db }: OpenStorage,
  { storage }: Pick<Config, 'storage'>,
): Promise<string | undefined> {
  const path = join(storage.dataDir, SETUP_FILE)
  return db.transaction(async (tx) => {
    const [only, another] = await listOrganizations(tx, 2)
    if (!only || another) return undefined
    await lockOrganization(tx, only.id)
    const members = await countMembers(tx, only.id, { roles: ROLE_NAMES, most: 1 })
    if (members > 0) return undefined
    const now = await readClock(tx)
    if (await hasSetup(tx, only.id, now)) return (await isLiveIn(tx, path)) ? path : undefined
    const link = await createSetupLink(tx, only.id, MADE_BY_CLI, now)
    recordChange(tx, only.id, OPERATOR, invitationOf(link))
    await writeSecretFile(path, link.token)
    return path
  })
}

/** Whether the file holds a token that still counts: it may be of another database. */
async function isLiveIn(db: Queryable, path: string): Promise<boolean> {
  const text = await readFile(path, 'utf8').catch(() => undefined)
  return text !== undefined && (await findInvitation(db, hashSecret(text.trim()))) !== undefined
}

async function findNamed(
  tx: Tx,
  { organizationId: named, email: text }: Named & { readonly email: string },
): Promise<{ readonly organizationId: string; readonly member: Member }> {
  const email = readAddress(text)
  const organizationId = await findTheOrganization(tx, named)
  const member = await findMemberByEmail(tx, organizationId, email)
  if (member) return { organizationId, member }
  throw new Error(`There is no member ${email}: "purser members list" shows them.`)
}

function readAddress(text: string): string {
  const email = toEmail(text)
  if (email !== undefined) return email
  throw new Error(`${JSON.stringify(text)} is no e-mail address such as ada@example.com.`)
}

function toIssued({ invitation, token }: CreatedLink, email: string): IssuedLink {
  const { organizationId, role, expiresAt } = invitation
  const shown = { organizationId: toPublicId('org', organizationId), email, role }
  return { ...shown, token, expiresAt: toIso(expiresAt) }
}
