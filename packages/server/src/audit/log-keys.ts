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

/**
 * How long the previous key signs beside its successor, so that verifiers have time to get the new
 * one.
 */
export const OVERLAP_MS = 30 * 86_400_000
/** How long a process caches the keys. All processes use a rotated key after this time. */
const REREAD_MS = 60_000

/** The keys that sign the audit logs of this installation. */
export interface LogKeys {
  /** The current signers of this organization's audit log: one key, or two during a rotation. */
  signers(organizationId: string): Promise<NoteSigner[]>
  /**
   * Returns the checkpoint with the signatures of all current signers. If nothing happened since a
   * rotation, the stored checkpoint has only the signature of the old key.
   */
  complete(organizationId: string, note: string): Promise<string>
  /**
   * The public keys of the organization's audit log as texts, oldest first, earlier keys included.
   */
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
    // The absolute difference, so that a clock that was set back does not keep old keys for long.
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

/** A key is bound to the name of its audit log, so each audit log has its own text of the key. */
function namedSigner(organizationId: string, privateKey: KeyObject): NoteSigner {
  const signer = toSigner(logOf(organizationId), privateKey)
  if (!signer) throw new Error('The key of the audit log is not an Ed25519 key.')
  return signer
}

/** The first call in an installation creates the key. */
async function readLogKeys(parts: KeyParts): Promise<LogKey[]> {
  const found = await listLogKeys(parts.db)
  if (found.length > 0) return found.map((stored) => openKey(parts.sealer, stored))
  await makeLogKey(parts, 0)
  return (await listLogKeys(parts.db)).map((stored) => openKey(parts.sealer, stored))
}

/**
 * Creates a new key, which at once signs beside the previous one. Returns false if a different
 * process was first.
 */
export async function makeLogKey({ db, sealer }: KeyParts, before: number): Promise<boolean> {
  const { privateKey } = generateKeyPairSync('ed25519')
  const plain = privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64')
  const secret = sealer.seal(INSTALLATION, SECRET_PURPOSE, plain)
  return insertLogKey(db, before, { secret, createdAt: await readClock(db) })
}

/** Rotates the key. Returns the instant until which the previous key also signs. */
export async function rotateLogKey(parts: KeyParts): Promise<Instant> {
  const { length } = await readLogKeys(parts)
  if (!(await makeLogKey(parts, length))) {
    throw new Error('Another run has just rotated this key. Nothing was changed.')
  }
  const made = (await listLogKeys(parts.db)).at(-1)
  return (made?.createdAt ?? 0) + OVERLAP_MS
}

function openKey(sealer: Sealer, { secret, createdAt }: StoredLogKey): LogKey {
  const plain = sealer.open(INSTALLATION, SECRET_PURPOSE, secret)
  const der = Buffer.from(plain, 'base64')
  return { createdAt, privateKey: createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }) }
}
