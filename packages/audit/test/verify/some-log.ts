import { createPrivateKey } from 'node:crypto'
import { createRandom, type Random } from '../../../server/test/support/random.ts'
import {
  createFrontier,
  type ExportLine,
  type Frontier,
  hashOfLeaf,
  type Leaf,
  makeLeaf,
  type NoteSigner,
  signCheckpoint,
  toHex,
  toVerifierKeyText,
  writeExportLine,
} from '../../src/index.ts'
import { sha256, toSigner } from '../../src/node/crypto.ts'

export interface Entry {
  readonly leaf: Leaf
  readonly payload: unknown
  readonly salt: Buffer
}

export interface ExportOptions {
  readonly signer?: NoteSigner
  readonly log?: string
  /** The index of the first leaf. */
  readonly from?: number
  /** After how many leaves there is a checkpoint; the end has one anyway. */
  readonly checkpointsAt?: readonly number[]
  /** Which leaves have lost their payload, and which everything but their hash. */
  readonly pruned?: readonly number[]
  readonly erased?: readonly number[]
}

export const LOG = 'purser/audit/org_01a1e258934c7487916523f9440fcb0c'

const signers = new Map<string, NoteSigner>()

/** Keys of different seeds differ. Each is made once, because that takes longer than signing. */
export function someSigner(seed = 1, name = LOG): NoteSigner {
  const known = signers.get(`${seed} ${name}`) ?? makeSigner(seed, name)
  signers.set(`${seed} ${name}`, known)
  return known
}

function makeSigner(seed: number, name: string): NoteSigner {
  const prefix = Buffer.from('302e020100300506032b657004220420', 'hex')
  const der = Buffer.concat([prefix, Buffer.alloc(32, seed)])
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  const signer = toSigner(name, privateKey)
  if (!signer) throw new Error('This is an Ed25519 key.')
  return signer
}

export function keyText(signer: NoteSigner): string {
  return `${toVerifierKeyText(signer.key)}\n`
}

/** Entries that differ from each other, and from those of another seed. */
export function someEntries(count: number, seed = 1): Entry[] {
  const random = createRandom(seed)
  return Array.from({ length: count }, (_, index) => anEntry(random, index))
}

export function anEntry(random: Random, index: number, payload: unknown = aPayload(random)): Entry {
  const salt = Buffer.from(Array.from({ length: 16 }, () => random.between(0, 255)))
  const subject = `txn_${random.between(0, 2 ** 31)}`
  const at = new Date(Date.UTC(2026, 10, 16) + index * 1_000).toISOString()
  const kind = random.pick(['transaction.approved', 'transaction.rejected', 'mandate.updated'])
  const leaf = makeLeaf(
    { kind, subject, at, actorId: random.pick(['key_1', null]) },
    payload,
    salt,
    sha256,
  )
  if (!leaf) throw new Error('These are fields of a leaf.')
  return { leaf, payload, salt }
}

function aPayload(random: Random): unknown {
  return { amount: random.between(1, 99_999) / 100, vendor: 'api.openai.com', note: 'Größe ✓ 😀' }
}

/** What the gateway would write. */
export function exportOf(entries: readonly Entry[], options: ExportOptions = {}): string[] {
  const { signer = someSigner(), log = LOG, from = 0, checkpointsAt = [] } = options
  const before = frontierOf(entries.slice(0, from))
  const header = { version: 1, log, content: 'leaves', from, frontier: before.nodes() } as const
  const lines = [text({ type: 'header', ...header })]
  const frontier = frontierOf(entries.slice(0, from))
  for (const [offset, entry] of entries.slice(from).entries()) {
    lines.push(text(leafLine(entry, from + offset, options)))
    frontier.append(hashOfLeaf(entry.leaf, sha256))
    const size = frontier.size()
    const isLast = size === entries.length
    if (isLast || checkpointsAt.includes(size)) lines.push(checkpointOf(frontier, signer, log))
  }
  if (from === entries.length) lines.push(checkpointOf(frontier, signer, log))
  return lines
}

function leafLine(
  { leaf, payload, salt }: Entry,
  index: number,
  { pruned = [], erased = [] }: ExportOptions,
): ExportLine {
  const hash = hashOfLeaf(leaf, sha256)
  if (erased.includes(index)) return { type: 'leaf', index, hash }
  if (pruned.includes(index)) return { type: 'leaf', index, hash, leaf }
  return { type: 'leaf', index, hash, leaf, opening: { payload, salt } }
}

function checkpointOf(frontier: Frontier, signer: NoteSigner, log: string): string {
  return text({ type: 'checkpoint', note: noteOf(frontier, signer, log) })
}

/** The signed head over these entries, as somebody keeps it. */
export function headOf(entries: readonly Entry[], signer = someSigner(), log = LOG): string {
  return noteOf(frontierOf(entries), signer, log)
}

function noteOf(frontier: Frontier, signer: NoteSigner, log: string): string {
  const checkpoint = { origin: log, size: frontier.size(), root: frontier.root() }
  return signCheckpoint(checkpoint, [signer]) ?? ''
}

/** As the gateway's answer holds it. */
export function receiptOf({ leaf, salt }: Entry, log = LOG): string {
  return JSON.stringify({
    log,
    leaf: toHex(hashOfLeaf(leaf, sha256)),
    salt: salt.toString('hex'),
  })
}

export function frontierOf(entries: readonly Entry[]): Frontier {
  const frontier = createFrontier(sha256)
  if (!frontier) throw new Error('An empty tree needs nothing.')
  for (const { leaf } of entries) frontier.append(hashOfLeaf(leaf, sha256))
  return frontier
}

export function text(line: ExportLine): string {
  return writeExportLine(line) ?? ''
}
