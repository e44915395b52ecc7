import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { openCheckpoint } from '../checkpoint.ts'
import type { NoteMistake } from '../signed-note.ts'
import { parseVerifierKey, type VerifierKey } from '../verifier-key.ts'
import { createKeptHeads, type KeptHead } from '../verify/kept-heads.ts'
import type { Known } from '../verify/known.ts'
import { createReceipts, type Receipts, readReceipts } from '../verify/receipts.ts'
import { sha256, verifySignature } from './crypto.ts'
import { readLines } from './read-lines.ts'

export interface KnownFiles {
  readonly key: string
  readonly heads: readonly string[]
  readonly receipts: string | undefined
}

/** Keys and heads are small. A large file was named by mistake and need not be read. */
const FILE_BYTES_MAX = 1024 * 1024
const BASE64 = /^[A-Za-z0-9+/]+=*$/

/**
 * Reads the keys, heads and receipts of the user, which the export is compared with. Returns a
 * message if one of them cannot be used, which says nothing about the export.
 */
export async function readKnown(files: KnownFiles): Promise<Known | string> {
  const keys = toKeys(files.key, await readSmallFile(files.key))
  if (typeof keys === 'string') return keys
  const heads: KeptHead[] = []
  for (const file of files.heads) {
    const head = toHead(file, await readSmallFile(file), keys)
    if (typeof head === 'string') return head
    heads.push(head)
  }
  const receipts = await toReceipts(files.receipts)
  if (typeof receipts === 'string') return receipts
  return { sha256, verifySignature, keys, heads: createKeptHeads(heads), receipts }
}

/** Reads one key per line: there are several during and after a rotation of the signing key. */
function toKeys(file: string, text: string | undefined): VerifierKey[] | string {
  const keys: VerifierKey[] = []
  for (const [index, line] of (text ?? '').split('\n').entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue
    const key = parseVerifierKey(line.trim(), sha256)
    if (!key) return `${file}: line ${index + 1} is not a public key of a log, or was changed`
    keys.push(key)
  }
  return keys.length > 0 ? keys : `${file} contains no public key of a log`
}

/** A head counts only if it is signed: otherwise anyone could make an audit log look changed. */
function toHead(
  file: string,
  text: string | undefined,
  keys: readonly VerifierKey[],
): KeptHead | string {
  const checkpoint = openCheckpoint(toNote(text ?? ''), keys, verifySignature)
  if (typeof checkpoint !== 'string') return { file, checkpoint }
  return `${file} ${NOTE_MISTAKES[checkpoint]}`
}

const NOTE_MISTAKES: Readonly<Record<NoteMistake, string>> = {
  malformed: 'is not a signed checkpoint, such as the field "checkpoint" of GET /audit-log/proof',
  unknown_key:
    'is not signed by any of the keys that you passed: pass the key that signed it as well',
  bad_signature: 'has an invalid signature: the head was changed after it was signed',
}

/**
 * Restores the note as it was signed. Programs add a line break at its end or write CR LF, and
 * webhooks carry it as Base64. This is safe, because the signature is verified afterwards.
 */
function toNote(text: string): string {
  const kept = text.trim()
  const note = BASE64.test(kept) ? Buffer.from(kept, 'base64').toString('utf8') : kept
  return `${note.replaceAll('\r\n', '\n').trimEnd()}\n`
}

async function toReceipts(file: string | undefined): Promise<Receipts | string> {
  if (file === undefined) return createReceipts()
  const receipts = await readReceipts(readLines(createReadStream(file)), file)
  if (typeof receipts === 'string') return `${file}: ${receipts}`
  return receipts.count() > 0 ? receipts : `${file} contains no receipt`
}

/** Returns undefined if the file is too large to be a key or head. */
async function readSmallFile(file: string): Promise<string | undefined> {
  const { size } = await stat(file)
  return size > FILE_BYTES_MAX ? undefined : await readFile(file, 'utf8')
}
