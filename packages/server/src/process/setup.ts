import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { logEvent } from '../base/log/log-event.ts'
import type { Log } from '../base/log.ts'
import { actorText, OPERATOR } from '../core/actor.ts'
import { MADE_BY_CLI, SCOPES, type Scope } from '../core/api-key.ts'
import { toPublicId, toUuid } from '../core/id.ts'
import { nearestName } from '../core/nearest-name.ts'
import type { Plan } from '../core/plan.ts'
import { type Instant, toIso } from '../core/time/instant.ts'
import { insertOwner, prepareOwner } from '../people/first-owner.ts'
import { insertApiKey } from '../storage/api-keys.ts'
import { recordChange } from '../storage/changes.ts'
import { type DatabaseClock, readClock } from '../storage/engine/clock.ts'
import type { Queryable, Tx } from '../storage/engine/database.ts'
import { newId } from '../storage/new-id.ts'
import {
  countOrganizations,
  findRequestTerms,
  insertOrganization,
  listOrganizations,
  lockInstallation,
} from '../storage/organizations.ts'
import { type MintedKey, mintApiKey } from '../storage/secrets/api-key-secret.ts'
import { findExposed } from '../storage/secrets/exposed-files.ts'
import type { Sealer } from '../storage/secrets/sealed.ts'
import { writeSecretFile } from '../storage/secrets/secret-file.ts'
import {
  hintOf,
  newWebhookSecret,
  WEBHOOK_SECRET_PURPOSE,
} from '../storage/secrets/webhook-secret.ts'
import type { Config } from './config.ts'
import type { Storage } from './open-storage.ts'

export interface CreatedOrganization {
  readonly organizationId: string
  /** The first key, with every scope. It is shown once; only its hash is stored. */
  readonly apiKey: string
}

const KEY_FILE = 'initial-api-key'

/** Warns the operator about files with secrets that other users of the machine can read. */
export async function warnOfExposedFiles(config: Config, log: Log): Promise<void> {
  for (const { path, mend } of await findExposed(config.storage.dataDir, config.secretFiles)) {
    logEvent(log, 'process.file_exposed', { path, command: mend })
  }
}

/** Creates an organization with its first API key. Only the demo passes a clock. */
export function createOrganization(
  { db, sealer }: Storage,
  config: Pick<Config, 'environment'>,
  name: string,
  clock: DatabaseClock = readClock,
): Promise<CreatedOrganization> {
  return db.transaction(async (tx) => {
    const { id, apiKey } = await insertWithKey(tx, sealer, config, name, { clock })
    return { organizationId: toPublicId('org', id), apiKey }
  })
}

export interface NewKey {
  /** The public id of the organization; required if there are several. */
  readonly organizationId: string | undefined
  readonly name: string
  /** Null means every scope. */
  readonly scopes: readonly Scope[] | null
}

export interface CreatedKey extends CreatedOrganization {
  /** The public id of the key. */
  readonly id: string
}

/** Reads the comma-separated scopes that a person typed. Throws a readable error. */
export function readScopes(text: string): Scope[] {
  const names = text.split(',').map((name) => name.trim())
  const scopes = names.map((name) => {
    const scope = SCOPES.find((known) => known === name)
    if (scope !== undefined) return scope
    const nearest = nearestName(name, SCOPES)
    const hint = nearest === undefined ? '' : `: did you mean ${nearest}?`
    throw new Error(
      `${JSON.stringify(name)} is not a scope${hint || '.'} The scopes are ${SCOPES.join(', ')}.`,
    )
  })
  return [...new Set(scopes)]
}

/**
 * Creates a key for an existing organization, so that a lost key does not mean a lost organization.
 * Throws a readable error.
 */
export function createOwnerKey(
  { db }: Pick<Storage, 'db'>,
  config: Pick<Config, 'environment'>,
  { organizationId, ...wanted }: NewKey,
): Promise<CreatedKey> {
  return db.transaction(async (tx) => {
    const id = await findTheOrganization(tx, organizationId)
    const key = await insertKey(tx, config, id, wanted, await readClock(tx))
    return { organizationId: toPublicId('org', id), ...key }
  })
}

/** Returns the named organization, or else the only one. Throws a readable error. */
export async function findTheOrganization(
  tx: Queryable,
  publicId: string | undefined,
): Promise<string> {
  const all = await listOrganizations(tx, 2)
  const [only, another] = all
  if (publicId === undefined) {
    if (!only) throw new Error('There is no organization yet. Create one with "purser init".')
    if (another)
      throw new Error(
        'There are several organizations: choose one with --org; "purser orgs list" shows them.',
      )
    return only.id
  }
  const id = toOrganizationId(publicId)
  if ((await findRequestTerms(tx, id)) !== undefined) return id
  throw new Error(`There is no organization ${publicId} in this database.`)
}

/** Names are not accepted, because two organizations can have the same one. */
export function toOrganizationId(publicId: string): string {
  const id = toUuid('org', publicId)
  if (id !== undefined) return id
  throw new Error(`"${publicId}" is not an id such as org_…: "purser orgs list" shows the ids.`)
}

/** Returns the organizations of the installation, oldest first, with their public ids. */
export async function readOrganizations({
  db,
}: Pick<Storage, 'db'>): Promise<ListedOrganization[]> {
  const all = await listOrganizations(db, ORGANIZATIONS_MAX)
  return all.map(({ id, createdAt, ...rest }) => ({
    organizationId: toPublicId('org', id),
    ...rest,
    createdAt: toIso(createdAt),
  }))
}

export interface ListedOrganization {
  readonly organizationId: string
  readonly name: string
  readonly plan: Plan
  readonly createdAt: string
}

const ORGANIZATIONS_MAX = 10_000

/**
 * Returns the file with the key that a start has created; undefined if there is none or it was
 * removed.
 */
export function findKeyFile({ storage }: Pick<Config, 'storage'>): string | undefined {
  const path = join(storage.dataDir, KEY_FILE)
  return existsSync(path) ? path : undefined
}

/** The result of a start that has created the first organization. */
interface FirstOrganization {
  /** The file with the first key; undefined if the operator chose the key. */
  readonly keyFile: string | undefined
}

/**
 * Creates the configured organization, unless there already is one. Of processes that start at the
 * same time, one creates it. Without a key in the settings, it writes the key to a file that only
 * this user can read. The file is on disk before the transaction commits, so an existing key can
 * always be found in it.
 */
export async function createFirstOrganization(
  { db, sealer }: Storage,
  config: Config,
): Promise<FirstOrganization | undefined> {
  // The settings are read only if they are needed: their files may be gone after the first start.
  if ((await countOrganizations(db)) > 0) return undefined
  const initial = config.readInitial()
  if (!initial) return undefined
  const owner = initial.admin && (await prepareOwner(db, initial.admin))
  return db.transaction(async (tx) => {
    await lockInstallation(tx)
    if ((await countOrganizations(tx)) > 0) return undefined
    const { organization: name, apiKey: given } = initial
    const { id, apiKey, createdAt } = await insertWithKey(tx, sealer, config, name, { given })
    if (owner) await insertOwner(tx, id, owner, createdAt)
    if (given) return { keyFile: undefined }
    const keyFile = join(config.storage.dataDir, KEY_FILE)
    await writeSecretFile(keyFile, apiKey)
    return { keyFile }
  })
}

interface First {
  /** The key that the operator chose. */
  readonly given?: MintedKey | undefined
  readonly clock?: DatabaseClock
}

async function insertWithKey(
  tx: Tx,
  sealer: Sealer,
  config: Pick<Config, 'environment'>,
  name: string,
  { given, clock = readClock }: First,
): Promise<{ readonly id: string; readonly apiKey: string; readonly createdAt: Instant }> {
  const createdAt = await clock(tx)
  const organizationId = newId(createdAt)
  const webhookSecret = newWebhookSecret()
  const settings = { name, plan: 'self_hosted', timezone: 'UTC', currency: 'USD' } as const
  const webhookSecretHint = hintOf(webhookSecret)
  await insertOrganization(tx, {
    ...settings,
    id: organizationId,
    createdAt,
    updatedBy: actorText(OPERATOR),
    webhookSecret: sealer.seal(organizationId, WEBHOOK_SECRET_PURPOSE, webhookSecret),
    webhookSecretHint,
  })
  recordChange(tx, organizationId, OPERATOR, {
    operation: 'organization.created',
    subjectId: toPublicId('org', organizationId),
    at: createdAt,
    before: null,
    after: { ...settings, webhookSecretHint },
  })
  const first = { name: 'First key', scopes: null }
  const { apiKey } = await insertKey(tx, config, organizationId, first, createdAt, given)
  return { id: organizationId, apiKey, createdAt }
}

async function insertKey(
  tx: Tx,
  { environment }: Pick<Config, 'environment'>,
  organizationId: string,
  wanted: Pick<NewKey, 'name' | 'scopes'>,
  createdAt: Instant,
  given: MintedKey = mintApiKey(environment === 'production' ? 'live' : 'test'),
): Promise<{ readonly id: string; readonly apiKey: string }> {
  const { token, publicId, hash } = given
  const id = newId(createdAt)
  const key = { name: wanted.name, scopes: wanted.scopes, agentIds: null, expiresAt: null }
  const made = { createdAt, createdBy: MADE_BY_CLI }
  await insertApiKey(tx, organizationId, { ...key, ...made, id, publicId, hash })
  const subjectId = toPublicId('key', id)
  recordChange(tx, organizationId, OPERATOR, {
    operation: 'api_key.created',
    subjectId,
    at: createdAt,
    before: null,
    after: { ...key, prefix: publicId },
  })
  return { id: subjectId, apiKey: token }
}
