import {
  type Checkpoint,
  checkpointSteps,
  commitmentBytes,
  consistencySteps,
  decodeBase64,
  fromHex,
  HASH_BYTES,
  inclusionSteps,
  leafBytes,
  parseHash,
  parseHashes,
  parseLeaf,
  runStepsAsync,
  toHex,
  type VerifierKey,
} from '@purser/audit'
import { ProofError } from './error.ts'
import { readKeys } from './keys.ts'
import type { TrustedKeys } from './verify-inclusion.ts'
import { sha256, verifySignature } from './web-crypto.ts'

/** An entry of `GET /audit-log`. */
export interface EntryLike {
  readonly index: number
  readonly leaf: string
  readonly kind: string
  readonly subject: string
  readonly at: string
  readonly actorId: string | null
  readonly commitment: string
  readonly salt: string | null
  readonly payload: unknown
}

export interface EntryEvidence {
  /** An answer of `GET /audit-log/proof?index=` with the index of the entry. */
  readonly proof: {
    readonly checkpoint: string
    readonly inclusion: {
      readonly index: number
      readonly leaf: string
      readonly hashes: readonly string[]
    } | null
  }
  /** The public keys of the audit log that you trust. */
  readonly keys: TrustedKeys
  /** A checkpoint that you kept earlier, and the answer of `?from=` its size `&to=` that of `proof`. */
  readonly kept?: {
    readonly checkpoint: string
    readonly consistency: { readonly from: number; readonly hashes: readonly string[] } | null
  } | null
}

/**
 * The result of one step. `unchecked`: the runtime lacks the algorithm, or there is nothing to
 * compare with.
 */
export type StepOutcome = 'proven' | 'refuted' | 'unchecked'

/** The four steps of a proof. The entry is proven if each of them is, or has nothing to compare. */
export interface EntryCheck {
  /** The fields of the entry give the hash of its leaf, and the payload gives its commitment. */
  readonly record: {
    readonly outcome: StepOutcome
    /** The commitment that follows from payload and salt. Null if the payload was removed. */
    readonly commitment: string | null
    /** The hash that follows from the fields of the entry. */
    readonly leaf: string | null
  }
  /** The leaf is in the tree of the checkpoint. */
  readonly inclusion: {
    readonly outcome: StepOutcome
    /** How many hashes lead from the leaf to the root. */
    readonly hashes: number
    /** The number of leaves that the checkpoint covers. */
    readonly size: number | null
  }
  /** A trusted key has signed the checkpoint. */
  readonly signature: {
    readonly outcome: StepOutcome
    readonly fault: 'malformed' | 'unknown_key' | 'bad_signature' | 'crypto_unsupported' | null
    /** The id of the trusted key that signed, in hexadecimal digits. */
    readonly keyId: string | null
  }
  /** The audit log extends the kept checkpoint. */
  readonly growth: { readonly outcome: StepOutcome; readonly from: number | null }
}

/**
 * Checks an entry of the audit log in four steps, and reports each one instead of throwing. So a
 * program can show a person which step failed. A page without `crypto.subtle` gets only `unchecked`.
 *
 * @example
 * const [entry] = (await purser.auditLog.list({ limit: 1 }).page()).data
 * const proof = await purser.auditLog.proof({ index: entry.index })
 * const { record, inclusion, signature } = await checkEntry(entry, { proof, keys: trustedKeys })
 */
export async function checkEntry(entry: EntryLike, evidence: EntryEvidence): Promise<EntryCheck> {
  const { proof, keys, kept } = evidence
  const trusted = await ifSupported(() => readKeys(keys))
  const head = readCheckpoint(proof.checkpoint)
  return {
    record: await checkRecord(entry),
    inclusion: await checkInclusion(entry, proof.inclusion, head),
    signature: await checkSignature(proof.checkpoint, trusted),
    growth: await checkGrowth(head, kept, trusted),
  }
}

async function checkRecord(entry: EntryLike): Promise<EntryCheck['record']> {
  const { kind, subject, at, actorId, commitment, salt, payload } = entry
  const leaf = parseLeaf({ version: 1, kind, subject, at, actorId, commitment })
  const isOpen = payload !== null && payload !== undefined && salt !== null
  const bytes =
    isOpen && /^[0-9a-f]{32}$/.test(salt) ? commitmentBytes(payload, fromHex(salt)) : null
  const hashes = await ifSupported(async () => ({
    commitment: bytes ? toHex(await sha256(bytes)) : null,
    leaf: leaf ? toHex(await sha256(leafBytes(leaf))) : null,
  }))
  if (!hashes) return { outcome: 'unchecked', commitment: null, leaf: null }
  const fits = hashes.leaf === entry.leaf && (!isOpen || hashes.commitment === commitment)
  return { outcome: fits ? 'proven' : 'refuted', ...hashes }
}

async function checkInclusion(
  entry: EntryLike,
  inclusion: EntryEvidence['proof']['inclusion'],
  head: Checkpoint | undefined,
): Promise<EntryCheck['inclusion']> {
  const hashes = parseHashes(inclusion?.hashes)
  const leafHash = parseHash(entry.leaf)
  const facts = { hashes: hashes?.length ?? 0, size: head?.size ?? null }
  if (!hashes || !leafHash || !head || inclusion?.index !== entry.index) {
    return { outcome: 'refuted', ...facts }
  }
  const { size, root } = head
  const isIn = await ifSupported(() =>
    runStepsAsync(inclusionSteps({ leafHash, index: entry.index, size, root, hashes }), sha256),
  )
  return { outcome: toOutcome(isIn), ...facts }
}

async function checkSignature(
  note: string,
  keys: readonly VerifierKey[] | undefined,
): Promise<EntryCheck['signature']> {
  const open = (some: readonly VerifierKey[]) =>
    ifSupported(() => runStepsAsync(checkpointSteps(note, some), verifySignature))
  const opened = keys && (await open(keys))
  if (!keys || !opened) return { outcome: 'unchecked', fault: 'crypto_unsupported', keyId: null }
  if (typeof opened === 'string') return { outcome: 'refuted', fault: opened, keyId: null }
  for (const key of keys) {
    if (typeof (await open([key])) === 'object') {
      return { outcome: 'proven', fault: null, keyId: key.id }
    }
  }
  return { outcome: 'proven', fault: null, keyId: null }
}

async function checkGrowth(
  head: Checkpoint | undefined,
  kept: EntryEvidence['kept'],
  keys: readonly VerifierKey[] | undefined,
): Promise<EntryCheck['growth']> {
  if (!kept) return { outcome: 'unchecked', from: null }
  const before = readCheckpoint(kept.checkpoint)
  const hashes = parseHashes(kept.consistency?.hashes)
  const from = before?.size ?? null
  const isKnown = await checkSignature(kept.checkpoint, keys)
  if (!before || !head || isKnown.outcome === 'refuted') return { outcome: 'refuted', from }
  if (before.origin !== head.origin || before.size > head.size || !hashes) {
    return { outcome: 'refuted', from }
  }
  const claim = { first: before.size, firstRoot: before.root, hashes }
  const grew = await ifSupported(() =>
    runStepsAsync(consistencySteps({ ...claim, second: head.size, secondRoot: head.root }), sha256),
  )
  return { outcome: toOutcome(grew), from }
}

/** The content of a checkpoint, whether or not a known key has signed it. */
function readCheckpoint(note: string): Checkpoint | undefined {
  const [origin = '', sizeText = '', encoded = '', end] = note.split('\n')
  const root = decodeBase64(encoded)
  const size = Number(sizeText)
  if (end !== '' || root?.length !== HASH_BYTES || !/^\d{1,15}$/.test(sizeText)) return undefined
  return { origin, size, root }
}

function toOutcome(isTrue: boolean | undefined): StepOutcome {
  if (isTrue === undefined) return 'unchecked'
  return isTrue ? 'proven' : 'refuted'
}

/** Resolves with undefined if the runtime lacks the algorithm. */
async function ifSupported<T>(compute: () => Promise<T>): Promise<T | undefined> {
  try {
    return await compute()
  } catch (error) {
    if (error instanceof ProofError && error.code === 'crypto_unsupported') return undefined
    throw error
  }
}
