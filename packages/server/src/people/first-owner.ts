import { OPERATOR } from '../core/actor.ts'
import { MADE_BY_CLI } from '../core/api-key.ts'
import type { Instant } from '../core/time/instant.ts'
import { recordChange } from '../storage/changes.ts'
import type { Database, Tx } from '../storage/engine/database.ts'
import { newId } from '../storage/new-id.ts'
import { insertMember } from '../storage/people/members.ts'
import { keepSalt, storePassword } from '../storage/people/sign-in-names.ts'
import { createPasswords, newSalt } from './passwords.ts'
import { joinedOf } from './people-changes.ts'

/** A first owner whom the operator has configured, with the hash of the password. */
export interface PreparedOwner {
  readonly email: string
  readonly secret: string
}

/** Checks and hashes the password before the transaction, which must not wait for that. */
export async function prepareOwner(
  db: Database,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<PreparedOwner> {
  const passwords = createPasswords()
  const refusal = await passwords.refuse(password, email)
  if (refusal) {
    throw new Error(
      `The first organization cannot be created:\n  - PURSER_INIT_ADMIN_PASSWORD ${refusal.message}.`,
    )
  }
  return { email, secret: await passwords.hash(password, await keepSalt(db, email, newSalt())) }
}

/** Adds the owner of an organization that this transaction creates. */
export async function insertOwner(
  tx: Tx,
  organizationId: string,
  { email, secret }: PreparedOwner,
  now: Instant,
): Promise<void> {
  const id = newId(now)
  const role = 'owner'
  const member = { id, email, name: email, role, createdAt: now, createdBy: MADE_BY_CLI } as const
  await insertMember(tx, organizationId, member)
  await storePassword(tx, { organizationId, memberId: id }, { id: newId(now), secret }, now)
  recordChange(tx, organizationId, OPERATOR, joinedOf(member, undefined, now))
}
