import { openCheckpoint, type VerifierKey } from '../../src/index.ts'
import { sha256, verifySignature } from '../../src/node/crypto.ts'
import { createKeptHeads } from '../../src/verify/kept-heads.ts'
import { createReceipts } from '../../src/verify/receipts.ts'
import { createExportVerifier, type Findings } from '../../src/verify/verify-export.ts'
import { someSigner } from './some-log.ts'

export interface Kept {
  readonly heads?: readonly string[]
  readonly receipts?: readonly string[]
  readonly keys?: readonly VerifierKey[]
}

/** What the command says of these lines: findings, or the line of the first thing that is wrong. */
export function verifyLines(lines: readonly string[], kept: Kept = {}): Findings | string {
  const { heads = [], keys = [someSigner().key] } = kept
  const receipts = createReceipts()
  for (const [index, text] of (kept.receipts ?? []).entries()) {
    const mistake = receipts.add(index + 1, text)
    if (mistake !== undefined) return mistake
  }
  const keptHeads = heads.map((note, index) => {
    const checkpoint = openCheckpoint(note, keys, verifySignature)
    if (typeof checkpoint === 'string') throw new Error(`Head ${index} is ${checkpoint}.`)
    return { file: `head-${index}`, checkpoint }
  })
  const verifier = createExportVerifier({
    ...{ sha256, verifySignature, keys },
    ...{ heads: createKeptHeads(keptHeads), receipts },
  })
  for (const [index, line] of lines.entries()) {
    const mistake = verifier.take(line)
    if (mistake !== undefined) return `${index + 1}: ${mistake}`
  }
  const ending = verifier.end()
  return ending.kind === 'fits' ? ending.findings : `${ending.kind}: ${ending.text}`
}
