import { describe, expect, test } from 'vitest'
import {
  hashOfLeaf,
  makeProof,
  planConsistency,
  planInclusion,
  type subtreesOf,
} from '../../src/index.ts'
import { sha256 } from '../../src/node/crypto.ts'
import {
  type Entry,
  exportOf,
  frontierOf,
  headOf,
  LOG,
  receiptOf,
  someEntries,
  someSigner,
  text,
} from './some-log.ts'
import { verifyLines } from './verify-lines.ts'

const ENTRIES = someEntries(20)
const EXPORT = exportOf(ENTRIES, { checkpointsAt: [5, 12] })

describe('an export that nobody touched', () => {
  test('fits, with everything that was kept of it', () => {
    const heads = [0, 3, 5, 20].map((size) => headOf(ENTRIES.slice(0, size)))
    const receipts = ENTRIES.map((entry) => receiptOf(entry))
    expect(verifyLines(EXPORT, { heads, receipts })).toEqual({
      ...{ log: LOG, content: 'leaves', from: 0, size: 20, leaves: 20 },
      ...{ pruned: 0, checkpoints: 3, proofs: 0, repeated: { count: 0, stretches: [] } },
    })
  })

  test('fits without leaves', () => {
    expect(verifyLines(exportOf([]))).toMatchObject({ size: 0, leaves: 0 })
  })

  test('fits at every length and from every leaf on', () => {
    for (const size of ENTRIES.slice(0, 12).keys()) {
      for (let from = 0; from <= size; from++) {
        const findings = verifyLines(exportOf(ENTRIES.slice(0, size), { from }))
        expect(findings).toMatchObject({ from, size, leaves: size - from })
      }
    }
  })

  test('fits where payloads, or all but the hashes, were removed, and counts those', () => {
    const lines = exportOf(ENTRIES, { pruned: [0, 7], erased: [8, 19] })
    const receipts = ENTRIES.map((entry) => receiptOf(entry))
    expect(verifyLines(lines, { receipts })).toMatchObject({ leaves: 20, pruned: 4 })
  })

  test('fits where it was cut off and went on', () => {
    const rest = exportOf(ENTRIES, { from: 9 })
    expect(verifyLines([...EXPORT.slice(0, 11), ...rest])).toMatchObject({ leaves: 20 })
    // The header of a later part has to go on with the leaves that came before.
    expect(verifyLines([...EXPORT.slice(0, 10), ...rest])).toMatch(/^11: the export continues/)
    const [header = ''] = rest
    const bare = header.replace(/"frontier":\[[^\]]*\]/, '"frontier":[]')
    expect(verifyLines([...EXPORT.slice(0, 11), bare, ...rest.slice(1)])).toMatch(/^12: the export/)
    const other = exportOf(someEntries(20, 2), { from: 9 })
    expect(verifyLines([...EXPORT.slice(0, 11), ...other])).toMatch(/^12: the export continues/)
  })

  test('fits with the keys before and after a change', () => {
    const [old, young] = [someSigner(), someSigner(2)]
    const lines = [...exportOf(ENTRIES.slice(0, 9), { signer: old })]
    lines.push(...exportOf(ENTRIES, { signer: young, from: 9 }))
    expect(verifyLines(lines, { keys: [old.key, young.key] })).toMatchObject({ checkpoints: 2 })
    expect(verifyLines(lines, { keys: [young.key] })).toMatch(/^11: .* none of the keys/)
  })
})

describe('the first thing that does not fit is named:', () => {
  test.each([
    ['no line at all', () => [], /^mismatch: the export is empty/],
    ['no header', () => EXPORT.slice(1), /^1: an export begins with its header/],
    ['an empty line', () => spliced(3, 0, ''), /^4: the line is empty/],
    ['a space', () => spliced(3, 1, `${EXPORT[3]} `), /^4: this is not a line/],
    ['a field twice', () => replaced(3, '{', '{"actorId":"x",'), /^4: this is not a line/],
    ['an unknown field', () => replaced(3, '"type"', '"seen":1,"type"'), /^4: this is not a line/],
    ['a leaf that is missing', () => spliced(3, 1), /^4: leaf 2 is missing/],
    ['leaves in another order', () => spliced(3, 2, EXPORT[4], EXPORT[3]), /^4: leaf 2 is missing/],
    ['a leaf twice', () => spliced(3, 0, EXPORT[2]), /^4: leaf 1 is repeated/],
    ['a changed leaf', () => replaced(3, /"kind":"\w+/, '"kind":"agent'), /^4: leaf 2 does not/],
    [
      'a changed payload',
      () => replaced(3, /"amount":/, '"amount":1'),
      /^4: the payload of leaf 2/,
    ],
    ['a changed hash', () => replaced(3, /"hash":"./, '"hash":"x'), /^4: this is not a line/],
    ['no end', () => EXPORT.slice(0, -1), /^mismatch: the export ends without/],
    ['a missing end', () => EXPORT.slice(0, 10), /^mismatch: the export ends without/],
    ['another log', () => exportOf(ENTRIES, { log: 'other.example' }), /^1: .* you passed no key/],
    ['another key', () => exportOf(ENTRIES, { signer: someSigner(9) }), /^22: .* none of the keys/],
  ])('%s', (_, tamper, expected) => {
    expect(verifyLines(tamper())).toMatch(expected)
  })

  test('a leaf that was made anew, at the next checkpoint', () => {
    const entries = [...ENTRIES.slice(0, 2), ...someEntries(1, 7), ...ENTRIES.slice(3)]
    const forged = exportOf(entries, { checkpointsAt: [5, 12] })
    const lines = EXPORT.map((line, index) => (index === 3 ? (forged[3] ?? '') : line))
    expect(verifyLines(lines)).toMatch(/^7: the 5 leaves up to here are not the signed ones/)
  })

  function spliced(at: number, count: number, ...more: (string | undefined)[]): string[] {
    return EXPORT.toSpliced(at, count, ...more.filter((line) => line !== undefined))
  }

  function replaced(at: number, what: string | RegExp, by: string): string[] {
    return EXPORT.map((line, index) => (index === at ? line.replace(what, by) : line))
  }
})

describe('what only shows against something that was kept:', () => {
  const earlier = exportOf(ENTRIES.slice(0, 12), { checkpointsAt: [5] })
  const rebuilt = exportOf([...ENTRIES.slice(0, 6), ...someEntries(14, 5)])

  test('a log that was put back to an earlier state', () => {
    expect(verifyLines(earlier)).toMatchObject({ size: 12 })
    expect(verifyLines(earlier, { heads: [headOf(ENTRIES)] })).toMatch(/rolled back/)
    expect(verifyLines(earlier, { receipts: receipts(ENTRIES) })).toMatch(
      /^mismatch: .* line 13 is not/,
    )
  })

  test('a log that was built anew and signed with the true key', () => {
    expect(verifyLines(rebuilt)).toMatchObject({ size: 20 })
    const heads = [headOf(ENTRIES.slice(0, 9))]
    expect(verifyLines(rebuilt, { heads })).toMatch(/^10: the first 9 leaves are not those of/)
    expect(verifyLines(rebuilt, { heads: [headOf(ENTRIES.slice(0, 6))] })).toMatchObject({
      size: 20,
    })
    expect(verifyLines(rebuilt, { receipts: receipts(ENTRIES) })).toMatch(
      /^mismatch: .* line 7 is not/,
    )
  })

  test('a decision that was removed before it was signed', () => {
    const sealed = exportOf(ENTRIES.filter((_, index) => index !== 4))
    expect(verifyLines(sealed)).toMatchObject({ size: 19 })
    expect(verifyLines(sealed, { receipts: receipts(ENTRIES) })).toMatch(
      /^mismatch: .* line 5 is not/,
    )
  })

  test('a receipt whose salt is not told, and one inside of an answer, fit', () => {
    const [first, second] = [entryAt(0), entryAt(1)].map((entry) => JSON.parse(receiptOf(entry)))
    const told = [
      JSON.stringify({ ...first, salt: null }),
      JSON.stringify({ decision: 'approved', evaluationDetails: { receipt: second } }),
    ]
    expect(verifyLines(EXPORT, { receipts: told })).toMatchObject({ leaves: 20 })
    const nowhere = JSON.stringify({ ...first, leaf: '0'.repeat(64), salt: null })
    expect(verifyLines(EXPORT, { receipts: [nowhere] })).toMatch(/^mismatch: .* line 1 is not/)
  })

  test('a receipt with another salt, or of another log', () => {
    const entry = entryAt(0)
    const changed = receiptOf({ ...entry, salt: Buffer.alloc(16) })
    expect(verifyLines(EXPORT, { receipts: [changed] })).toMatch(/^2: leaf 0 has a different salt/)
    const foreign = receiptOf(entry, 'other.example')
    expect(verifyLines(EXPORT, { receipts: [foreign] })).toMatch(/^1: .* of a different log/)
  })

  test('a head of which an export that begins later proves nothing', () => {
    const kept = { heads: [headOf(ENTRIES.slice(0, 3))] }
    const later = exportOf(ENTRIES, { from: 9 })
    expect(verifyLines(later, kept)).toMatch(/^incomparable: the head in head-0 has 3 leaves/)
    const shorter = { heads: [...kept.heads, headOf(someEntries(ENTRIES.length + 1))] }
    expect(verifyLines(later, shorter)).toMatch(/^mismatch: the log has .* head in head-1 was/)
    expect(verifyLines([...later, proofFrom(3)], kept)).toMatchObject({ from: 9 })
    const other = { heads: [headOf(someEntries(3, 4))] }
    expect(verifyLines([...later, proofFrom(3)], other)).toMatch(/not those of the head/)
  })

  test('a head that is not the state that a later export shows in its header', () => {
    const later = exportOf(ENTRIES, { from: 11 })
    const heads = [8, 10, 11].map((size) => headOf(ENTRIES.slice(0, size)))
    expect(verifyLines(later, { heads })).toMatchObject({ from: 11 })
    const other = { heads: [headOf(someEntries(8, 4))] }
    expect(verifyLines(later, other)).toMatch(/^1: .* not those of the head/)
  })

  test('two heads of one size that are not the same', () => {
    const heads = [ENTRIES.slice(0, 3), someEntries(3, 4)].map((entries) => headOf(entries))
    const later = exportOf(ENTRIES, { from: 9 })
    expect(verifyLines(later, { heads })).toMatch(/^1: the heads in head-0 and head-1 both have 3/)
  })

  function receipts(entries: readonly Entry[]): string[] {
    return entries.map((entry) =>
      JSON.stringify({ decision: 'approved', receipt: JSON.parse(receiptOf(entry)) }),
    )
  }
})

describe('proofs of single leaves', () => {
  const header = text({
    ...{ type: 'header', version: 1, log: LOG, content: 'proofs', from: 0, frontier: [] },
  })
  const checkpoint = EXPORT.at(-1) ?? ''

  test('fit, and prove receipts and heads without the other leaves', () => {
    const lines = [header, checkpoint, provenLeaf(4), provenLeaf(2), proofFrom(7)]
    const kept = {
      heads: [headOf(ENTRIES.slice(0, 7)), headOf(ENTRIES)],
      receipts: [2, 4].map((index) => receiptOf(entryAt(index))),
    }
    expect(verifyLines(lines, kept)).toMatchObject({ content: 'proofs', leaves: 2, size: 20 })
  })

  test.each([
    ['a leaf at another place', () => [provenLeaf(4).replace('"index":4', '"index":5')]],
    ['a leaf without a proof', () => [EXPORT[1] ?? '']],
    ['a second checkpoint', () => [checkpoint]],
    ['a header of all leaves', () => [EXPORT[0] ?? '']],
    ['a state that was never', () => [proofFrom(7).replace('"size":7', '"size":8')]],
  ])('do not fit with %s', (_, more) => {
    expect(verifyLines([header, checkpoint, ...more()])).toMatch(/^3: /)
  })

  test('are not counted twice', () => {
    const lines = [header, checkpoint, provenLeaf(4), provenLeaf(2), provenLeaf(4)]
    expect(verifyLines(lines)).toMatch(/^5: leaf 4 is repeated/)
  })

  test('go on in a second part, which has a checkpoint of its own', () => {
    const first = [header, checkpoint, provenLeaf(4)]
    expect(verifyLines([...first, header, checkpoint, provenLeaf(2)])).toMatchObject({
      ...{ leaves: 2, checkpoints: 2 },
    })
    expect(verifyLines([...first, header, provenLeaf(2)])).toMatch(/^5: .*before the checkpoint/)
    expect(verifyLines([...first, header, checkpoint, provenLeaf(4)])).toMatch(/^6: .*repeated/)
  })

  test.each([
    ['of other leaves', someEntries(20, 4)],
    ['of fewer leaves', ENTRIES.slice(0, 19)],
  ])('do not go on in a part with a checkpoint %s', (_, entries) => {
    const other = text({ type: 'checkpoint', note: headOf(entries) })
    const lines = [header, checkpoint, provenLeaf(4), header, other]
    expect(verifyLines(lines)).toMatch(/^5: this part has a checkpoint/)
  })

  test('do not make an export of all leaves out of some', () => {
    expect(verifyLines([EXPORT[0] ?? '', checkpoint])).toMatch(/^2: the checkpoint has 20 leaves/)
    expect(verifyLines([header, checkpoint], { receipts: [receiptOf(entryAt(0))] })).toMatch(
      /^incomparable: .* use an export that has this leaf/,
    )
  })

  function provenLeaf(index: number): string {
    const entry = entryAt(index)
    const proof = makeProof(planInclusion(index, 20) ?? [], read, sha256) ?? []
    const { leaf, payload, salt } = entry
    const hash = hashOfLeaf(leaf, sha256)
    return text({ type: 'leaf', index, hash, leaf, opening: { payload, salt }, proof })
  }
})

function entryAt(index: number): Entry {
  const entry = ENTRIES[index]
  if (!entry) throw new Error(`There is no entry ${index}.`)
  return entry
}

function proofFrom(size: number): string {
  const hashes = makeProof(planConsistency(size, 20) ?? [], read, sha256) ?? []
  return text({ type: 'proof', size, root: frontierOf(ENTRIES.slice(0, size)).root(), hashes })
}

/** The node over these leaves. */
function read({ level, index }: ReturnType<typeof subtreesOf>[number]) {
  const begin = index * 2 ** level
  return frontierOf(ENTRIES.slice(begin, begin + 2 ** level)).root()
}
