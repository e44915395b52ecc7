import { decodeBase64, toBase64 } from './bytes.ts'
import { HASH_BYTES, type Hash } from './hash.ts'
import { type NoteMistake, type NoteSigner, noteSteps, signNote } from './signed-note.ts'
import { runSteps, type SignatureSteps, type VerifySignature } from './steps.ts'
import { isKeyName, type VerifierKey } from './verifier-key.ts'

/** The state of a log: its first `size` leaves, and the root over them. */
export interface Checkpoint {
  /** The name of the log, which is also the name of its keys. */
  readonly origin: string
  readonly size: number
  readonly root: Hash
}

/** Without zeros in front, and small enough to be held exactly. */
const SIZE = /^(0|[1-9]\d{0,15})$/

/** A C2SP checkpoint: origin, size and root, each in a line. Undefined where one is out of bounds. */
export function signCheckpoint(
  { origin, size, root }: Checkpoint,
  signers: readonly NoteSigner[],
): string | undefined {
  const text = `${origin}\n${size}\n${toBase64(root)}\n`
  return parseCheckpoint(text) && signNote(text, signers)
}

/** Verifies a signed checkpoint; `checkpointSteps` says how. */
export function openCheckpoint(
  note: string,
  keys: readonly VerifierKey[],
  verify: VerifySignature,
): Checkpoint | NoteMistake {
  return runSteps(checkpointSteps(note, keys), verify)
}

/**
 * Verifies a signed checkpoint. A key counts only for the log that it is named after: otherwise a key
 * that signs for several organizations would vouch for the log of a different one.
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

/** Extension lines are refused: we write none, and nobody would check what they say. */
function parseCheckpoint(text: string): Checkpoint | undefined {
  const [origin = '', sizeText = '', encoded = '', ...rest] = text.split('\n')
  if (rest.length !== 1 || rest[0] !== '') return undefined
  const [size, root] = [Number(sizeText), decodeBase64(encoded)]
  if (!isKeyName(origin) || !SIZE.test(sizeText) || !Number.isSafeInteger(size)) return undefined
  return root?.length === HASH_BYTES ? { origin, size, root } : undefined
}
