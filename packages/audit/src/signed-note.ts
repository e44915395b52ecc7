import { type Bytes, concatBytes, decodeBase64, fromHex, toBase64, toHex, utf8 } from './bytes.ts'
import { runSteps, type SignatureSteps, type VerifySignature } from './steps.ts'
import { isKeyName, type VerifierKey } from './verifier-key.ts'

/** A text with valid signatures, and the keys that signed it. */
export interface OpenNote {
  readonly text: string
  readonly keys: readonly VerifierKey[]
}

/**
 * Why a note is refused: its format is wrong, no known key has signed it, or the signature of a
 * known key is invalid.
 */
export type NoteMistake = 'malformed' | 'unknown_key' | 'bad_signature'

export interface NoteSigner {
  readonly key: VerifierKey
  /** Signs the message with Ed25519. */
  readonly sign: (message: Uint8Array) => Uint8Array
}

interface SignatureLine {
  readonly name: string
  readonly id: string
  readonly signature: Bytes
}

/** Third parties may add their own signatures, and some kinds take kilobytes. */
const NOTE_LENGTH_MAX = 131_072
const SIGNATURES_MAX = 32
const KEY_ID_BYTES = 4
const SIGNATURE = /^\u2014 ([^ ]+) ([A-Za-z0-9+/=]+)$/u
/** A line feed is the only control character of a note. */
const NOT_IN_NOTES = /[^\n\P{Cc}]|\p{Surrogate}/u

/**
 * Signs a text as a C2SP signed note. During a rotation of the signing key, the old and the new key
 * both sign, so that a verifier with either one can verify it. Returns undefined for a text that a
 * note cannot hold.
 */
export function signNote(text: string, signers: readonly NoteSigner[]): string | undefined {
  if (!isNoteText(text)) return undefined
  const bytes = utf8(text)
  return `${text}\n${signers.map((signer) => signatureLine(bytes, signer)).join('')}`
}

/**
 * Adds the signatures of signers that have not signed the note yet. Without a valid signature of a
 * known key the note stays unchanged: a signer must not vouch for a foreign text.
 */
export function countersign(
  note: string,
  signers: readonly NoteSigner[],
  keys: readonly VerifierKey[],
  verify: VerifySignature,
): string {
  const parts = splitNote(note)
  const missing = signers.filter(
    ({ key }) => !parts?.signatures.some(({ name, id }) => name === key.name && id === key.id),
  )
  if (!parts || missing.length === 0 || typeof openNote(note, keys, verify) === 'string') {
    return note
  }
  const bytes = utf8(parts.text)
  return `${note}${missing.map((signer) => signatureLine(bytes, signer)).join('')}`
}

function signatureLine(bytes: Bytes, { key, sign }: NoteSigner): string {
  return `\u2014 ${key.name} ${toBase64(concatBytes(fromHex(key.id), sign(bytes)))}\n`
}

/** Verifies a note; `noteSteps` says how. */
export function openNote(
  note: string,
  keys: readonly VerifierKey[],
  verify: VerifySignature,
): OpenNote | NoteMistake {
  return runSteps(noteSteps(note, keys), verify)
}

/**
 * Verifies a note with the known keys. It ignores signatures of other keys; every signature of a
 * known key must be valid.
 */
export function* noteSteps(
  note: string,
  keys: readonly VerifierKey[],
): SignatureSteps<OpenNote | NoteMistake> {
  const parts = splitNote(note)
  if (!parts) return 'malformed'
  const message = utf8(parts.text)
  const signers: VerifierKey[] = []
  for (const { name, id, signature } of parts.signatures) {
    const key = keys.find((known) => known.name === name && known.id === id)
    if (!key) continue
    const isValid = yield { publicKey: key.publicKey, message, signature }
    // A promise is truthy, so only `true` itself counts.
    if (isValid !== true) return 'bad_signature'
    signers.push(key)
  }
  return signers.length === 0 ? 'unknown_key' : { text: parts.text, keys: signers }
}

/** The text ends at the last empty line: the text itself may have empty lines. */
function splitNote(
  note: string,
): { text: string; signatures: readonly SignatureLine[] } | undefined {
  if (note.length > NOTE_LENGTH_MAX) return undefined
  const end = note.lastIndexOf('\n\n')
  const text = note.slice(0, end + 1)
  if (end < 0 || !isNoteText(text) || !note.endsWith('\n')) return undefined
  const lines = note.slice(end + 2, -1).split('\n')
  if (lines.length > SIGNATURES_MAX) return undefined
  const signatures = lines.map(parseSignature)
  if (!signatures.every((signature) => signature !== undefined)) return undefined
  // If one key has signed twice, some verifiers would never check one of the two signatures.
  const signers = new Set(signatures.map(({ name, id }) => `${name} ${id}`))
  return signers.size === signatures.length ? { text, signatures } : undefined
}

function parseSignature(line: string): SignatureLine | undefined {
  const [, name = '', encoded = ''] = SIGNATURE.exec(line) ?? []
  const bytes = decodeBase64(encoded)
  if (!isKeyName(name) || !bytes || bytes.length <= KEY_ID_BYTES) return undefined
  return {
    name,
    id: toHex(bytes.subarray(0, KEY_ID_BYTES)),
    signature: bytes.subarray(KEY_ID_BYTES),
  }
}

function isNoteText(text: string): boolean {
  return text.endsWith('\n') && text.length <= NOTE_LENGTH_MAX && !NOT_IN_NOTES.test(text)
}
