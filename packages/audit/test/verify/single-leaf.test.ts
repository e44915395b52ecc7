import { describe, expect, test, vi } from 'vitest'
import { createProgress } from '../../src/node/progress.ts'
import { toFindingsText } from '../../src/verify/findings-text.ts'
import { exportOf, headOf, someEntries } from './some-log.ts'
import { verifyLines } from './verify-lines.ts'

const ENTRIES = someEntries(3)
const FIRST = ENTRIES.slice(0, 1)
const OTHER = someEntries(1, 4)

describe('a log with one leaf', () => {
  const findings = verifyLines(exportOf(FIRST))
  const textOf = (repeatedCount: number): string => {
    if (typeof findings === 'string') throw new Error(findings)
    const repeated = { count: repeatedCount, stretches: [] }
    return toFindingsText({ ...findings, repeated }, { heads: 0, receipts: 0 })
  }

  test('is described in the singular', () => {
    expect(textOf(0)).toMatch(/checkpoints: 1, the last with 1 leaf$/m)
    expect(textOf(1)).toMatch(/and 1 more leaf$/m)
    expect(textOf(2)).toMatch(/and 2 more leaves$/m)
  })

  test('has its progress in the singular', () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const told: string[] = []
    const progress = createProgress(undefined, (line) => told.push(line))
    vi.advanceTimersByTime(1_000)
    progress.tell(150, { leaves: () => 1 })
    vi.useRealTimers()
    expect(told).toEqual(['1 leaf verified\n'])
  })

  test.each([
    [
      'a checkpoint that is not its own',
      () => [...exportOf(FIRST).slice(0, 2), exportOf(OTHER)[2] ?? ''],
      [],
      /^3: the only leaf up to here is not the signed one:/,
    ],
    [
      'a checkpoint of fewer leaves than the export',
      () => [...exportOf(ENTRIES).slice(0, 3), exportOf(FIRST)[2] ?? ''],
      [],
      /^4: the checkpoint has 1 leaf, but the export has 2 /,
    ],
    [
      'a kept head of a different log',
      () => exportOf(ENTRIES),
      [OTHER],
      /the first leaf is not that of the head in head-0:/,
    ],
    [
      'two kept heads that differ',
      () => exportOf(ENTRIES),
      [FIRST, OTHER],
      /both have 1 leaf, but not the same:/,
    ],
    ['a kept head of a longer log', () => exportOf(FIRST), [ENTRIES], /has 1 leaf, but had 3 when/],
    [
      'a kept head before the first exported leaf',
      () => exportOf(ENTRIES, { from: 2 }),
      [FIRST],
      /^incomparable: the head in head-0 has 1 leaf, but/,
    ],
  ])('has %s named in the singular', (_, lines, heads, expected) => {
    const kept = { heads: heads.map((entries) => headOf(entries)) }
    expect(verifyLines(lines(), kept)).toMatch(expected)
  })
})
