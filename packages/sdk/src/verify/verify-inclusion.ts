import {
  type Checkpoint,
  checkpointSteps,
  inclusionSteps,
  parseHash,
  parseHashes,
  runStepsAsync,
  type VerifierKey,
} from '@purser/audit'
import { ProofError } from './error.ts'
import { readKeys } from './keys.ts'
import { sha256, verifySignature } from './web-crypto.ts'

/** The receipt of a decision: `evaluationDetails.receipt`. */
export interface ReceiptLike {
  /** The name of the audit log. */
  readonly log: string
  /** The hash of the leaf. */
  readonly leaf: string
  readonly salt?: string | null
}

/** An answer of `GET /audit-log/proof?leaf=`. Its other fields are not used. */
export interface ProofLike {
  readonly checkpoint: string
  readonly inclusion: {
    readonly index: number
    readonly leaf: string
    readonly hashes: readonly string[]
  } | null
}

/**
 * The public keys of the audit log that you trust: a key, a list, or the text of a file with one key
 * per line. Get them once, through a channel that you trust, and keep them. The `keys` in the proof
 * come from the party that you check, so they prove nothing.
 */
export type TrustedKeys = string | readonly string[]

/** The proven place of a leaf. */
export interface ProvenInclusion {
  /** The name of the audit log. */
  readonly log: string
  /** The hash of the leaf. */
  readonly leaf: string
  /** The position of the leaf, counted from 0. */
  readonly index: number
  /** The number of leaves that the checkpoint covers. */
  readonly size: number
}

/**
 * Verifies that the leaf of a receipt is in the audit log that a trusted key has signed. Rejects
 * with a `ProofError`, whose `code` names the cause. It needs no network. It proves nothing about
 * the content of the decision: `verifyReceipt` does.
 *
 * @example
 * const proof = await purser.auditLog.proof({ leaf: receipt.leaf })
 * const { index } = await verifyInclusion(receipt, proof, trustedKeys)
 */
export async function verifyInclusion(
  receipt: ReceiptLike,
  proof: ProofLike,
  keys: TrustedKeys,
): Promise<ProvenInclusion> {
  const { index, leaf, hashes } = proof.inclusion ?? {}
  const [leafHash, siblings] = [parseHash(leaf), parseHashes(hashes)]
  if (index === undefined || !leafHash || !siblings || typeof proof.checkpoint !== 'string') {
    throw new ProofError(
      'proof_invalid',
      'The proof has no inclusion proof. Get one with GET /audit-log/proof?leaf= and the leaf of the receipt. A decision is in the audit log about a second after its commit.',
    )
  }
  const { origin, size, root } = await openSigned(proof.checkpoint, await readKeys(keys))
  if (leaf !== receipt.leaf || origin !== receipt.log) {
    throw new ProofError(
      'proof_mismatch',
      'The proof is about a different leaf or a different audit log than the receipt. Get the proof for the leaf of this receipt.',
    )
  }
  const claim = { leafHash, index, size, root, hashes: siblings }
  if (!(await runStepsAsync(inclusionSteps(claim), sha256))) {
    throw new ProofError(
      'not_included',
      'The leaf is not in the audit log of this checkpoint. Either the proof was changed, or it is for a different size: leave out `size` when you get it.',
    )
  }
  return { log: origin, leaf: receipt.leaf, index, size }
}

async function openSigned(note: string, keys: readonly VerifierKey[]): Promise<Checkpoint> {
  const opened = await runStepsAsync(checkpointSteps(note, keys), verifySignature)
  switch (opened) {
    case 'malformed':
      throw new ProofError('proof_invalid', 'The checkpoint of the proof has an unknown form.')
    case 'unknown_key':
      throw new ProofError(
        'key_unknown',
        'No trusted key has signed the checkpoint. The audit log belongs to a different organization, its key was rotated and you do not have the new one, or the proof is forged.',
      )
    case 'bad_signature':
      throw new ProofError(
        'signature_mismatch',
        'The signature of the checkpoint is wrong. The checkpoint was changed or is forged.',
      )
    default:
      return opened
  }
}
