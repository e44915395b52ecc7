import { fromHex, toHex } from './bytes.ts'
import { toCanonicalJson } from './canonical-json.ts'
import { type Hash, parseHash, parseHashes } from './hash.ts'
import { type Leaf, parseLeaf, SALT_BYTES } from './leaf.ts'
import { isCount } from './proof.ts'
import { isKeyName } from './verifier-key.ts'

/**
 * The lines of an export, which is NDJSON. `docs/guide-audit.md` describes each line and their
 * order.
 */
export type ExportLine = HeaderLine | LeafLine | CheckpointLine | ProofLine

/** The first line. An export that was interrupted and resumed has one more at each continuation. */
export interface HeaderLine {
  readonly type: 'header'
  readonly version: 1
  /** The name of the audit log: the origin of its checkpoints. */
  readonly log: string
  /** All leaves in order, or single leaves with their proofs. */
  readonly content: 'leaves' | 'proofs'
  /** The index of the first leaf, and the right edge of the tree before it. */
  readonly from: number
  readonly frontier: readonly Hash[]
}

export interface LeafLine {
  readonly type: 'leaf'
  readonly index: number
  readonly hash: Hash
  /** The content behind the hash. Each part is missing once it was removed. */
  readonly leaf?: Leaf
  readonly opening?: Opening
  /** Proves that the leaf is in the tree of the last checkpoint; only if the content is `proofs`. */
  readonly proof?: readonly Hash[]
}

/** The data that a leaf commits to. */
export interface Opening {
  readonly payload: unknown
  readonly salt: Uint8Array
}

export interface CheckpointLine {
  readonly type: 'checkpoint'
  /** The signed note. */
  readonly note: string
}

/** Proves that the tree had this root at an earlier size, and that the last checkpoint extends it. */
export interface ProofLine {
  readonly type: 'proof'
  readonly size: number
  readonly root: Hash
  readonly hashes: readonly Hash[]
}

type Fields = Readonly<Record<string, unknown>>

const SALT = new RegExp(`^[0-9a-f]{${SALT_BYTES * 2}}$`)

/** Returns undefined if a payload has no canonical text. */
export function writeExportLine(line: ExportLine): string | undefined {
  return toCanonicalJson(toFields(line))
}

/**
 * Parses a line, and accepts only its canonical form: one order of the fields, and no spaces,
 * duplicate names or unknown fields. So the line contains nothing unverified, and all readers see
 * the same content.
 */
export function parseExportLine(text: string): ExportLine | undefined {
  const line = toLine(parseJson(text))
  return line && writeExportLine(line) === text ? line : undefined
}

function toFields(line: ExportLine): Fields {
  switch (line.type) {
    case 'header':
      return { ...line, frontier: line.frontier.map(toHex) }
    case 'leaf': {
      const { type, index, hash, leaf, opening, proof } = line
      const opened = opening && { payload: opening.payload, salt: toHex(opening.salt) }
      return { type, index, hash: toHex(hash), leaf, ...opened, proof: proof?.map(toHex) }
    }
    case 'checkpoint':
      return { ...line }
    case 'proof':
      return { ...line, root: toHex(line.root), hashes: line.hashes.map(toHex) }
  }
}

function toLine(fields: Fields): ExportLine | undefined {
  switch (fields['type']) {
    case 'header':
      return toHeader(fields)
    case 'leaf':
      return toLeafLine(fields)
    case 'checkpoint':
      return typeof fields['note'] === 'string'
        ? { type: 'checkpoint', note: fields['note'] }
        : undefined
    case 'proof':
      return toProof(fields)
    default:
      return undefined
  }
}

function toHeader({ version, log, content, from, frontier }: Fields): HeaderLine | undefined {
  const nodes = parseHashes(frontier)
  if (version !== 1 || !isCount(from) || !nodes) return undefined
  // The name is shown to people, so it must not contain control characters for a terminal.
  if (typeof log !== 'string' || !isKeyName(log)) return undefined
  if (content !== 'leaves' && content !== 'proofs') return undefined
  return { type: 'header', version, log, content, from, frontier: nodes }
}

function toLeafLine(fields: Fields): LeafLine | undefined {
  const { index } = fields
  const hash = parseHash(fields['hash'])
  const leaf = fields['leaf'] === undefined ? undefined : parseLeaf(fields['leaf'])
  const opening = toOpening(fields)
  const proof = fields['proof'] === undefined ? undefined : parseHashes(fields['proof'])
  // A payload without its leaf would be bound to nothing.
  if (!isCount(index) || !hash || (opening && !leaf)) return undefined
  return {
    ...{ type: 'leaf', index, hash },
    ...(leaf && { leaf }),
    ...(opening && { opening }),
    ...(proof && { proof }),
  }
}

/**
 * A salt alone, or a payload alone, is ignored: then the line differs from its own text and is
 * refused.
 */
function toOpening({ payload, salt }: Fields): Opening | undefined {
  if (payload === undefined || typeof salt !== 'string' || !SALT.test(salt)) return undefined
  return { payload, salt: fromHex(salt) }
}

function toProof({ size, root, hashes }: Fields): ProofLine | undefined {
  const [parsedRoot, parsedHashes] = [parseHash(root), parseHashes(hashes)]
  if (!isCount(size) || !parsedRoot || !parsedHashes) return undefined
  return { type: 'proof', size, root: parsedRoot, hashes: parsedHashes }
}

/** Returns no fields if the text is not an object. */
function parseJson(text: string): Fields {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}
