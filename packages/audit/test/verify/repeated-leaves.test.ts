import { hash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { toFindingsText } from '../../src/verify/findings-text.ts'
import { createRepeats } from '../../src/verify/repeated-leaves.ts'
import { exportOf, receiptOf, someEntries } from './some-log.ts'
import { verifyLines } from './verify-lines.ts'

const ENTRIES = someEntries(10)
/** What a sealer wrote whose number was put back twice. */
const REPEATED = [...ENTRIES, ...ENTRIES.slice(6), ...ENTRIES.slice(9)]

describe('a log in which leaves were sealed twice', () => {
  test('fits with its receipts, and the leaves that came again are named', () => {
    const receipts = ENTRIES.map((entry) => receiptOf(entry))
    const findings = verifyLines(exportOf(REPEATED), { receipts })
    expect(findings).toMatchObject({
      leaves: 15,
      repeated: {
        count: 5,
        stretches: [
          { from: 10, to: 13, of: 6 },
          { from: 14, to: 14, of: 9 },
        ],
      },
    })
    if (typeof findings === 'string') throw new Error(findings)
    const text = toFindingsText(findings, { heads: 0, receipts: 10 })
    expect(text).toMatch(/^Everything fits, but leaves are repeated\.$/m)
    expect(text).toMatch(/^ {2}repeated {2}leaves 10 to 13 repeat leaves 6 to 9$/m)
    expect(text).toMatch(/^ {12}leaf 14 repeats leaf 9$/m)
  })

  test('is named also where only the hashes are left', () => {
    const erased = REPEATED.map((_, index) => index)
    expect(verifyLines(exportOf(REPEATED, { erased }))).toMatchObject({ repeated: { count: 5 } })
  })

  test('is not what one looks like in which nothing was', () => {
    const findings = verifyLines(exportOf(ENTRIES))
    expect(findings).toMatchObject({ repeated: { count: 0, stretches: [] } })
    if (typeof findings === 'string') throw new Error(findings)
    expect(toFindingsText(findings, { heads: 0, receipts: 0 })).toMatch(/^Everything fits\.\n/)
  })
})

describe('repeats', () => {
  const hashOf = (value: number) => hash('sha256', String(value), 'buffer')

  test('are found among the last leaves, and what is kept stays bounded', () => {
    const repeats = createRepeats(5_000)
    for (let index = 0; index < 22_000; index++) repeats.add(index, hashOf(index))
    expect(repeats.found().count).toBe(0)
    repeats.add(22_000, hashOf(21_999))
    repeats.add(22_001, hashOf(15_500))
    repeats.add(22_002, hashOf(3))
    expect(repeats.found()).toEqual({
      count: 2,
      stretches: [
        { from: 22_000, to: 22_000, of: 21_999 },
        { from: 22_001, to: 22_001, of: 15_500 },
      ],
    })
  })

  test('are counted beyond those that are named', () => {
    const repeats = createRepeats()
    for (let index = 0; index < 1_000; index++) repeats.add(index, hashOf(index))
    // Backwards, so that each is a stretch of its own.
    for (let index = 0; index < 250; index++) repeats.add(1_000 + index, hashOf(999 - index))
    const { count, stretches } = repeats.found()
    expect([count, stretches.length]).toEqual([250, 100])
  })
})
