import { decodeBase64, toBase64 } from './bytes.ts'
import { HASH_BYTES, type Hash } from './hash.ts'
import { type NoteMistake, type NoteSigner, noteSteps, signNote } from './signed-note.ts'
import { runSteps, type SignatureSteps, type VerifySignature } from './steps.ts'
import { isKeyName, type VerifierKey } from './verifier-key.ts'

/** The state of an audit log: its first `size` leaves, and the root over them. */
export interface Checkpoint {
  /** The name of the audit log, which is also the name of its keys. */
  readonly origin: string
  readonly size: number
  readonly root: Hash
}

/** A number without leading zeros, small enough to be held exactly. */
const SIZE = /^(0|[1-9]\d{0,15})$/

/**
 * Signs a C2SP checkpoint: origin, size and root, one per line. Returns undefined if one is out of
 * range.
 */
export function signCheckpoint(
  { origin, size, root }: Checkpoint,
  signers: readonly NoteSigner[],
): string | undefined {
  const text = `${origin}\n${size}\n${toBase64(root)}\n`
  return parseCheckpoint(text) && signNote(text, signers)
}

/**
 * Verifies a signed checkpoint. A key counts only for the audit log that it is named after: otherwise a
 * key that signs for several organizations could vouch for the audit log of a different one.
 */
export function openCheckpoint(
  note: string,
  keys: readonly VerifierKey[],
  verify: VerifySignature,
): Checkpoint | NoteMistake {
  return runSteps(checkpointSteps(note, keys), verify)
}

/**
 * Verifies a signed checkpoint. A key counts only for the audit log that it is named after:
 * otherwise a key that signs for several organizations would vouch for the log of a different one.
 */
export function* checkpointSteps(
  note: string,
  keys: readonly VerifierKey[],
): SignatureSteps<Checkpoint | NoteMistake> {
  const opened = yield* noteSteps(note, keys)
  if (typeof opened === 'string') return opened
  const checkpoint = parseCheckpoint(opened.text)
  if (!checkpoint) return 'malformed'
  return opened.keys.some(({ name }) => name === checkpoint.origin) ? checkpoint : 'unknown_key'
}

/** Extension lines are refused: we write none, and no verifier would check their content. */
function parseCheckpoint(text: string): Checkpoint | undefined {
  const [origin = '', sizeText = '', encoded = '', ...rest] = text.split('\n')
  if (rest.length !== 1 || rest[0] !== '') return undefined
  const [size, root] = [Number(sizeText), decodeBase64(encoded)]
  if (!isKeyName(origin) || !SIZE.test(sizeText) || !Number.isSafeInteger(size)) return undefined
  return root?.length === HASH_BYTES ? { origin, size, root } : undefined
}
