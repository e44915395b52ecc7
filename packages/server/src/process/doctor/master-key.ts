import type { Queryable } from '../../storage/engine/database.ts'
import { findKeyChecks, loadMasterKeys, opens } from '../../storage/secrets/master-key.ts'
import { listOrganizationIds } from '../../storage/secrets/reseal.ts'
import { createSealer, INSTALLATION, type Sealer } from '../../storage/secrets/sealed.ts'
import type { Config } from '../config.ts'
import { sealedValues } from '../sealed-values.ts'
import { type Check, fail, messageOf, ok, warn } from './check.ts'

/** Bounds the work: these many organizations, and these many values of each kind in each of them. */
const ORGANIZATIONS_MAX = 100
const VALUES_MAX = 20

/** Every mark differs from this one, so a page has values under all keys. */
const NO_MARK = Buffer.alloc(0)
const FIRST = '00000000-0000-0000-0000-000000000000'

/** Checks that the master key is the database's, and opens a sample of the sealed values. */
export async function checkMasterKey(db: Queryable, config: Config): Promise<Check> {
  const checks = await findKeyChecks(db)
  if (checks === undefined) {
    return ok('master key', 'The database has no master key yet; the first start sets it.')
  }
  const { dataDir } = config.storage
  const keys = await loadMasterKeys({ ...config.masterKeys, dataDir }, false).catch(messageOf)
  if (typeof keys === 'string') return fail('master key', keys, RESTORE)
  const current = keys.find((key) => opens(key, checks.current))
  const { previous } = checks
  if (!current || (previous && !keys.some((key) => opens(key, previous)))) {
    return fail('master key', 'The master key is not the one of this database.', RESTORE)
  }
  const others = keys.filter((key) => key !== current)
  const { opened, unreadable } = await openSample(db, createSealer(current, others), config)
  if (unreadable > 0) {
    return fail(
      'master key',
      `The master key does not open ${unreadable} of ${opened + unreadable} sealed values.`,
      'They are damaged, or encrypted with an earlier master key. Find that key, or restore a backup.',
    )
  }
  if (previous) {
    return warn(
      'master key',
      'A rotation of the master key is not finished.',
      'Run: purser rotate-master-key --finish',
    )
  }
  return ok('master key', `The master key opens every sealed value that was tried (${opened}).`)
}

const RESTORE =
  'Set PURSER_MASTER_KEY to the key of this database, or PURSER_DATA_DIR to the folder with its master.key.'

async function openSample(db: Queryable, sealer: Sealer, config: Config) {
  const page = { after: [], mark: NO_MARK, limit: VALUES_MAX }
  const organizationIds = await listOrganizationIds(db, FIRST, ORGANIZATIONS_MAX)
  let [opened, unreadable] = [0, 0]
  for (const kind of sealedValues(config)) {
    for (const id of kind.isOfInstallation ? [INSTALLATION] : organizationIds) {
      const values = await kind.list(db, id, page)
      const readable = values.filter(({ purpose, sealed }) => canOpen(sealer, id, purpose, sealed))
      opened += readable.length
      unreadable += values.length - readable.length
    }
  }
  return { opened, unreadable }
}

function canOpen(sealer: Sealer, id: string, purpose: string, sealed: Buffer): boolean {
  try {
    sealer.open(id, purpose, sealed)
    return true
  } catch {
    // The value is damaged or under a different key; the caller counts it.
    return false
  }
}
