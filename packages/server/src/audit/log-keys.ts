import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { countersign, type NoteSigner, toVerifierKeyText } from '@purser/audit'
import { toSigner, verifySignature } from '@purser/audit/node'
import { logOf } from '../core/audit/decision-leaf.ts'
import type { Instant } from '../core/time/instant.ts'
import { insertLogKey, listLogKeys, type StoredLogKey } from '../storage/audit/log-keys.ts'
import { readClock } from '../storage/engine/clock.ts'
import type { Database } from '../storage/engine/database.ts'
import { INSTALLATION, type Sealer } from '../storage/secrets/sealed.ts'
import { SECRET_PURPOSE } from '../storage/tokens/signing-keys.ts'

/** How long the key before signs beside its successor: time for everybody to get the new one. */
export const OVERLAP_MS = 30 * 86_400_000
/** How old the keys may be that a process goes by. A rotation shows in all of them after this. */
const REREAD_MS = 60_000

/** What the installation signs the logs of its organizations with. */
export interface LogKeys {
  /** Who signs for this organization at the moment: one key, or two while it is changed. */
  signers(organizationId: string): Promise<NoteSigner[]>
  /**
   * The checkpoint with the signatures of all who sign at the moment. In a log in which nothing has
   * happened since the key was changed, the last one was signed by the old key alone.
   */
  complete(organizationId: string, note: string): Promise<string>
  /** The public keys of the organization's log as texts, the oldest first, also those of before. */
  published(organizationId: string): Promise<string[]>
}

interface KeyParts {
  readonly db: Database
  readonly sealer: Sealer
}

interface LogKey {
  readonly privateKey: KeyObject
  readonly createdAt: Instant
}

export function createLogKeys(parts: KeyParts & { readonly now: () => Instant }): LogKeys {
  let known: { readonly keys: readonly LogKey[]; readonly readAt: Instant } | undefined

  async function current(): Promise<readonly LogKey[]> {
    const at = parts.now()
    // A clock that was set back must not keep keys for long.
    if (!known || Math.abs(at - known.readAt) >= REREAD_MS) {
      known = { keys: await readLogKeys(parts), readAt: at }
    }
    return known.keys
  }

  async function signers(organizationId: string): Promise<NoteSigner[]> {
    const keys = await current()
    const signing = keys.filter((_, index) => {
      const next = keys[index + 1]
      return !next || next.createdAt + OVERLAP_MS > parts.now()
    })
    return signing.map(({ privateKey }) => namedSigner(organizationId, privateKey))
  }

  return {
    signers,
    async complete(organizationId, note) {
      const keys = await current()
      const named = keys.map(({ privateKey }) => namedSigner(organizationId, privateKey).key)
      return countersign(note, await signers(organizationId), named, verifySignature)
    },
    async published(organizationId) {
      const keys = await current()
      return keys.map(({ privateKey }) =>
        toVerifierKeyText(namedSigner(organizationId, privateKey).key),
      )
    },
  }
}

/** A key counts only for the log that it is named after, so each log has its own text of it. */
function namedSigner(organizationId: string, privateKey: KeyObject): NoteSigner {
  const signer = toSigner(logOf(organizationId), privateKey)
  if (!signer) throw new Error('The key of the audit log is no Ed25519 key.')
  return signer
}

/** The first call of the installation makes one. */
async function readLogKeys(parts: KeyParts): Promise<LogKey[]> {
  const found = await listLogKeys(parts.db)
  if (found.length > 0) return found.map((stored) => openKey(parts.sealer, stored))
  await makeLogKey(parts, 0)
  return (await listLogKeys(parts.db)).map((stored) => openKey(parts.sealer, stored))
}

/** Another key, which signs at once beside the one before. False if somebody else made one. */
export async function makeLogKey({ db, sealer }: KeyParts, before: number): Promise<boolean> {
  const { privateKey } = generateKeyPairSync('ed25519')
  const plain = privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64')
  const secret = sealer.seal(INSTALLATION, SECRET_PURPOSE, plain)
  return insertLogKey(db, before, { secret, createdAt: await readClock(db) })
}

/** Another key. Gives until when the one before signs beside it. */
export async function rotateLogKey(parts: KeyParts): Promise<Instant> {
  const { length } = await readLogKeys(parts)
  if (!(await makeLogKey(parts, length))) {
    throw new Error('Another rotation has just made a key. Nothing was changed.')
  }
  const made = (await listLogKeys(parts.db)).at(-1)
  return (made?.createdAt ?? 0) + OVERLAP_MS
}

function openKey(sealer: Sealer, { secret, createdAt }: StoredLogKey): LogKey {
  const plain = sealer.open(INSTALLATION, SECRET_PURPOSE, secret)
  const der = Buffer.from(plain, 'base64')
  return { createdAt, privateKey: createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }) }
}
