import { createHash } from 'node:crypto'
import {
  commitTo,
  fromHex,
  hashOfLeaf,
  type LeafLine,
  openCheckpoint,
  parseExportLine,
  parseVerifierKey,
  toHex,
  verifyInclusion,
} from '@purser/audit'
import { sha256, verifySignature } from '@purser/audit/node'
import { describe, expect, test } from 'vitest'
import { withoutReceipt } from '../../../src/core/audit/decision-leaf.ts'
import { EXAMPLE_DETAILS, EXAMPLE_RECEIPT } from '../../../src/http/document/examples.ts'
import {
  EXPORT_EXAMPLE,
  PROOF_EXAMPLE,
  PROVEN_EXPORT_EXAMPLE,
} from '../../../src/routes/audit-log/examples.ts'

const linesOf = (text: string) => text.trimEnd().split('\n').map(parseExportLine)

/** Whoever follows the guide with the examples of the document finds that they fit. */
describe('the examples of the audit log', () => {
  test.each([
    ['an export', EXPORT_EXAMPLE],
    ['an export of decisions', PROVEN_EXPORT_EXAMPLE],
  ])('hold %s whose leaves are what their hashes say', (_, text) => {
    const lines = linesOf(text)
    expect(lines).not.toContain(undefined)
    const leaves = lines.filter((line): line is LeafLine => line?.type === 'leaf')
    expect(leaves).not.toEqual([])
    for (const { hash, leaf, opening } of leaves) {
      expect(leaf && toHex(hashOfLeaf(leaf, sha256))).toBe(toHex(hash))
      expect(opening && commitTo(opening.payload, opening.salt, sha256)).toBe(leaf?.commitment)
    }
  })

  test('hold the leaf of the receipt, which commits to the details of the decision', () => {
    const line = linesOf(PROVEN_EXPORT_EXAMPLE).find((one) => one?.type === 'leaf')
    expect(line).toMatchObject({ hash: fromHex(EXAMPLE_RECEIPT.leaf) })
    expect(line).toMatchObject({ opening: { salt: fromHex(EXAMPLE_RECEIPT.salt) } })
    const details = withoutReceipt(JSON.stringify(EXAMPLE_DETAILS))
    const detailsHash = createHash('sha256').update(details).digest('hex')
    expect(line).toMatchObject({ opening: { payload: { detailsHash } } })
  })

  test('prove that it is in the tree of the signed checkpoint', () => {
    const { keys, checkpoint, inclusion } = PROOF_EXAMPLE
    const known = keys
      .map((key) => parseVerifierKey(key, sha256))
      .filter((key) => key !== undefined)
    const opened = openCheckpoint(checkpoint, known, verifySignature)
    if (typeof opened === 'string') throw new Error(opened)
    const isProven = verifyInclusion(
      {
        leafHash: Buffer.from(inclusion.leaf, 'hex'),
        index: inclusion.index,
        size: opened.size,
        root: opened.root,
        hashes: inclusion.hashes.map((hash) => Buffer.from(hash, 'hex')),
      },
      sha256,
    )
    expect(isProven).toBe(true)
  })
})
