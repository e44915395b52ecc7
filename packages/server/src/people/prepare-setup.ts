import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { OPERATOR } from '../core/actor.ts'
import { MADE_BY_CLI } from '../core/api-key.ts'
import { ROLE_NAMES } from '../core/people/role.ts'
import { recordChange } from '../storage/changes.ts'
import { type DatabaseClock, readClock } from '../storage/engine/clock.ts'
import type { Database, Queryable } from '../storage/engine/database.ts'
import { listOrganizations, lockOrganization } from '../storage/organizations.ts'
import { findInvitation, hasSetup } from '../storage/people/invitations.ts'
import { countMembers } from '../storage/people/members.ts'
import { writeSecretFile } from '../storage/secrets/secret-file.ts'
import { hashSecret } from '../storage/secrets/session-secret.ts'
import { createSetupLink } from './links.ts'
import { invitationOf } from './people-changes.ts'

const SETUP_FILE = 'setup-token'

/**
 * Returns the path of the file with the setup token, with which the first owner signs up. Creates the
 * token if the only organization has no member and no valid token; of several processes that start at
 * once, one creates it. The file is on disk before the transaction commits. Returns undefined if there
 * is nothing to set up, or if the valid token is in the file of another installation. Only the demo
 * passes a clock.
 */
export function prepareSetup(
  db: Database,
  dataDir: string,
  clock: DatabaseClock = readClock,
): Promise<string | undefined> {
  const path = join(dataDir, SETUP_FILE)
  return db.transaction(async (tx) => {
    const [only, another] = await listOrganizations(tx, 2)
    if (!only || another) return undefined
    await lockOrganization(tx, only.id)
    const members = await countMembers(tx, only.id, { roles: ROLE_NAMES, most: 1 })
    if (members > 0) return undefined
    const now = await clock(tx)
    if (await hasSetup(tx, only.id, now)) return (await holdsLiveToken(tx, path)) ? path : undefined
    const link = await createSetupLink(tx, only.id, MADE_BY_CLI, now)
    recordChange(tx, only.id, OPERATOR, invitationOf(link))
    await writeSecretFile(path, link.token)
    return path
  })
}

/** Checks the token against this database, because the file may belong to another one. */
async function holdsLiveToken(db: Queryable, path: string): Promise<boolean> {
  const text = await readFile(path, 'utf8').catch(() => undefined)
  return text !== undefined && (await findInvitation(db, hashSecret(text.trim()))) !== undefined
}
