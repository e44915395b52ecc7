import { toHex } from '../bytes.ts'
import { type Hash, parseHash } from '../hash.ts'
import { fieldsOf, parseJson } from './json-fields.ts'
import type { ComparedExport, LeftOver } from './left-over.ts'

/** Kept receipts, until they are found in the audit log. */
export interface Receipts {
  /** The number of receipts that are not found yet. */
  count(): number
  /**
   * Marks the receipt of this leaf as found, if there is one. If its salt differs, returns where it
   * is.
   */
  find(leafHash: Hash, salt: Uint8Array | undefined): string | undefined
  /** The first receipt that was not found. */
  missing(compared: ComparedExport): LeftOver | undefined
  /** Where the first receipt of a different audit log is. */
  firstOfOtherLog(log: string): string | undefined
}

/** A line of a text file. */
export interface TextLine {
  /** Line numbers start at 1. */
  readonly number: number
  /** Undefined if the line is not UTF-8, or too long. */
  readonly text: string | undefined
}

interface Receipt {
  readonly line: number
  /** Null if the salt was withheld from the receiver. */
  readonly salt: string | null
}

/** They are all held in memory, with a few hundred bytes each. */
const RECEIPTS_MAX = 1_000_000
const FORM = 'each line must have one receipt, or one response of the gateway that contains one'
/** Matches answers that were appended without a line break. */
const SEVERAL = /\}\s*\{/
const SALT = /^[0-9a-f]{32}$/

/**
 * Reads receipts, one per line: `{"leaf": …, "log": …, "salt": …}`, or an answer of the gateway
 * that has one as `receipt`, at the top level or in `evaluationDetails`. Empty lines are skipped.
 * Returns a message if a line is none of these.
 */
export async function readReceipts(
  batches: AsyncIterable<readonly TextLine[]>,
  file: string,
): Promise<Receipts | string> {
  const receipts = createReceipts(file)
  for await (const lines of batches) {
    for (const { number, text } of lines) {
      // A shell that appends answers leaves such lines.
      if (text?.trim() === '') continue
      const mistake = receipts.add(number, text ?? '')
      if (mistake !== undefined) return mistake
    }
  }
  return receipts
}

/** Starts without receipts; `add` adds them. */
export function createReceipts(file?: string): Receipts & {
  add(line: number, text: string): string | undefined
} {
  const nameOf = (line: number): string =>
    file === undefined ? `line ${line}` : `line ${line} of ${file}`
  const waiting = new Map<string, Receipt>()
  const logs = new Map<string, number>()
  return {
    add(line, text) {
      const receipt = toReceipt(text)
      if (!receipt) return tellNone(line, text)
      const { log, leaf, salt } = receipt
      const before = waiting.get(leaf)
      if (before) {
        return before.salt === salt
          ? undefined
          : `lines ${before.line} and ${line} contradict each other`
      }
      if (waiting.size === RECEIPTS_MAX) return `it has more than ${RECEIPTS_MAX} receipts`
      waiting.set(leaf, { line, salt })
      if (!logs.has(log)) logs.set(log, line)
      return undefined
    },
    count: () => waiting.size,
    find(leafHash, salt) {
      if (waiting.size === 0) return undefined
      const name = nameOfHash(leafHash)
      const receipt = waiting.get(name)
      if (!receipt) return undefined
      const isOther = salt && receipt.salt !== null && toHex(salt) !== receipt.salt
      if (isOther) return nameOf(receipt.line)
      waiting.delete(name)
      return undefined
    },
    missing(compared) {
      // The map keeps the order of their lines.
      const [first] = waiting.values()
      return first && toLeftOver(nameOf(first.line), compared)
    },
    firstOfOtherLog(log) {
      const line = [...logs].find(([other]) => other !== log)?.[1]
      return line === undefined ? undefined : nameOf(line)
    },
  }
}

function tellNone(line: number, text: string): string {
  return `line ${line} ${SEVERAL.test(text) ? 'has several objects' : 'is not a receipt'}: ${FORM}`
}

function toLeftOver(place: string, { content, from }: ComparedExport): LeftOver {
  const found = `the leaf of the receipt in ${place} is not in the export`
  if (content === 'leaves' && from === 0) {
    const text = `${found}: if the export is older than the receipt, export again; otherwise the leaf was never sealed or was removed, or the log was rolled back to an earlier state`
    return { kind: 'mismatch', text }
  }
  const needed =
    content === 'proofs'
      ? 'use an export that has this leaf, or an export of all leaves'
      : `the export begins with leaf ${from}, so use one from the beginning`
  return { kind: 'incomparable', text: `${found}: ${needed}` }
}

function toReceipt(text: string): { log: string; leaf: string; salt: string | null } | undefined {
  const answer = fieldsOf(parseJson(text))
  const { receipt = answer } = { ...answer, ...fieldsOf(answer['evaluationDetails']) }
  const { log, leaf, salt } = fieldsOf(receipt)
  const hash = parseHash(leaf)
  if (typeof log !== 'string' || !hash || !isSalt(salt)) return undefined
  return { log, leaf: nameOfHash(hash), salt }
}

/** Uses one letter per byte, which takes half of the memory of hexadecimal digits. */
function nameOfHash(hash: Hash): string {
  return String.fromCharCode(...hash)
}

function isSalt(salt: unknown): salt is string | null {
  return salt === null || (typeof salt === 'string' && SALT.test(salt))
}
