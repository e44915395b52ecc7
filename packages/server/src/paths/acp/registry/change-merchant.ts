import assert from 'node:assert/strict'
import type { Static } from 'typebox'
import { type FieldError, invalidFields } from '../../../base/errors.ts'
import type { DirectoryEntry } from '../../../core/directory-entry.ts'
import type { DatabaseClock } from '../../../storage/engine/clock.ts'
import type { Tx } from '../../../storage/engine/database.ts'
import {
  newToken,
  OVERLAP_MS,
  removeIngestTokens,
  replaceIngestToken,
} from '../../../storage/ingest-tokens.ts'
import type { Sealer } from '../../../storage/secrets/sealed.ts'
import { findMerchantSecrets, type SealedSecrets, updateMerchant } from '../storage/merchants.ts'
import { type MerchantSecret, merchantPurpose } from '../storage/sealed-values.ts'
import { type AcpEntry, isAddressOf } from './acp-entry.ts'
import type { MerchantChange } from './merchant-schemas.ts'

const HINT_CHARACTERS = 4

type Change = Static<typeof MerchantChange>

interface MerchantParts {
  readonly sealer: Sealer
  readonly clock: DatabaseClock
}

/** The directory entry before the change. */
interface ChangedVendor extends Pick<DirectoryEntry, 'id' | 'host'> {
  readonly acp: AcpEntry | null
}

interface Changed {
  readonly acp: AcpEntry | null
  /** The token of the order URL. The API shows it once. */
  readonly token?: string
}

/**
 * Changes the ACP settings of a vendor, or removes them with null. The caller holds the lock of the
 * entry.
 */
export async function changeMerchant(
  tx: Tx,
  { sealer, clock }: MerchantParts,
  organizationId: string,
  { id, host, acp: before }: ChangedVendor,
  change: Change | null,
): Promise<Changed> {
  if (change === null) {
    tx.send(updateMerchant(organizationId, id, null))
    tx.send(removeIngestTokens(organizationId, id))
    return { acp: null }
  }
  const entry = toEntry(host, before, change)
  const [stored, at] = await Promise.all([findMerchantSecrets(tx, organizationId, id), clock(tx)])
  const secrets = toSecrets(sealerOf(sealer, organizationId, id), change, stored)
  tx.send(updateMerchant(organizationId, id, { entry, ...secrets }))
  if (before !== null && !change.rotateOrderToken) return { acp: entry }
  const { token, hash } = newToken()
  const replaced = replaceIngestToken(organizationId, id, hash, at + OVERLAP_MS)
  for (const statement of replaced) tx.send(statement)
  return { acp: entry, token }
}

/** Returns the changed entry, or throws if it would be invalid. */
function toEntry(host: string, before: AcpEntry | null, change: Change): AcpEntry {
  const apiBaseUrl = change.apiBaseUrl?.replace(/\/+$/, '') ?? before?.apiBaseUrl
  const version = change.version ?? before?.version
  const merchantIds = change.merchantIds ?? before?.merchantIds
  const credentialHint = hintOf(change.credential) ?? before?.credentialHint
  const missing = Object.entries({ apiBaseUrl, version, merchantIds, credential: credentialHint })
    .filter(([, value]) => value === undefined)
    .map(([name]) => requiredField(name, 'is required, because the vendor has no acp settings yet'))
  const errors = [...missing, ...addressErrors(host, before, change)]
  if (errors.length > 0) throw invalidFields(errors)
  assert(apiBaseUrl && version && merchantIds && credentialHint, 'a missing field was refused')
  const { profileId = before?.profileId ?? null, webhookSecret } = change
  const { handler = before?.handler ?? null } = change
  const webhookSecretHint =
    webhookSecret === undefined ? (before?.webhookSecretHint ?? null) : hintOf(webhookSecret)
  const hints = { credentialHint, webhookSecretHint }
  return { apiBaseUrl, version, merchantIds, profileId, handler, ...hints }
}

function requiredField(name: string, message: string): FieldError {
  return { path: `/acp/${name}`, code: 'required', message }
}

function hintOf<Absent extends null | undefined>(secret: string | Absent): string | Absent {
  return typeof secret === 'string' ? secret.slice(-HINT_CHARACTERS) : secret
}

/**
 * A stored credential is sent only to its previous origin: otherwise anyone who can set a URL could
 * read it.
 */
function addressErrors(
  host: string,
  before: AcpEntry | null,
  { apiBaseUrl, credential }: Change,
): FieldError[] {
  if (apiBaseUrl === undefined) return []
  const path = '/acp/apiBaseUrl'
  if (!isAddressOf(host, apiBaseUrl)) {
    return [{ path, code: 'not_of_vendor', message: `must be at ${host} or one of its subdomains` }]
  }
  if (apiBaseUrl.includes('?')) {
    return [{ path, code: 'format', message: 'must not have a query' }]
  }
  if (/\/checkout_sessions(\/|$)/.test(apiBaseUrl)) {
    const message = 'must end before /checkout_sessions, which the gateway appends'
    return [{ path, code: 'format', message }]
  }
  const isElsewhere = before !== null && originOf(before.apiBaseUrl) !== originOf(apiBaseUrl)
  if (!isElsewhere || credential !== undefined) return []
  const message = 'must be sent again, because the gateway would send it to another address'
  return [requiredField('credential', message)]
}

function originOf(url: string): string {
  return new URL(url).origin
}

type Seal = (
  secret: MerchantSecret,
  given: string | undefined,
  kept: Buffer | null,
) => Buffer | null

/**
 * Seals a kept secret again: a rotation of the master key may be running, and it would not find the
 * value that is stored here.
 */
function sealerOf(sealer: Sealer, organizationId: string, vendorId: string): Seal {
  return (secret, given, kept) => {
    const purpose = merchantPurpose(vendorId, secret)
    const plain = given ?? (kept && sealer.open(organizationId, purpose, kept))
    return plain === null ? null : sealer.seal(organizationId, purpose, plain)
  }
}

function toSecrets(
  seal: Seal,
  { credential: given, webhookSecret: secret }: Change,
  stored: SealedSecrets | undefined,
): SealedSecrets {
  const credential = seal('credential', given, stored?.credential ?? null)
  assert(credential, 'a merchant has a credential, or it was refused')
  if (secret === null) return { credential, webhookSecret: null }
  return {
    credential,
    webhookSecret: seal('webhook_secret', secret, stored?.webhookSecret ?? null),
  }
}
