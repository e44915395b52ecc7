import { countLeaves } from './count-leaves.ts'
import type { RepeatedLeaves } from './repeated-leaves.ts'
import type { Findings } from './verify-export.ts'

/** The number of kept heads and receipts that the export was compared with. */
export interface Compared {
  readonly heads: number
  readonly receipts: number
}

/** Describes what was proven, and what was not. */
export function toFindingsText(findings: Findings, compared: Compared): string {
  const { log, size, pruned, checkpoints, proofs, repeated } = findings
  const rows = [
    ['log', log],
    ['leaves', tellLeaves(findings)],
    ['pruned', pruned === 0 ? 'none' : `${count(pruned)}, verified only by their hashes`],
    ...tellRepeated(repeated),
    [
      'signed',
      `checkpoints: ${count(checkpoints)}, the last with ${countLeaves(size, count(size))}`,
    ],
    ...(proofs === 0 ? [] : [['proofs', `${count(proofs)}: the log extends an earlier state`]]),
    ['heads', tellKept(compared.heads, 'the log extends all of them')],
    ['receipts', tellKept(compared.receipts, 'all are in the log')],
  ]
  const lines = rows.map(([name = '', text]) => `  ${name.padEnd(9)} ${text}`)
  const title =
    repeated.count === 0 ? 'Everything fits.' : 'Everything fits, but leaves are repeated.'
  return [title, '', ...lines, ...tellOpen(compared), ''].join('\n')
}

/** Returns one row per stretch. */
function tellRepeated({ count: total, stretches }: Findings['repeated']): string[][] {
  const named = stretches.map((stretch) => tellStretch(stretch))
  const told = stretches.reduce((sum, { from, to }) => sum + to - from + 1, 0)
  const more =
    total > told ? [`and ${countLeaves(total - told, `${count(total - told)} more`)}`] : []
  return [...named, ...more].map((text, place) => [place === 0 ? 'repeated' : '', text])
}

function tellStretch({ from, to, of }: RepeatedLeaves): string {
  if (from === to) return `leaf ${count(from)} repeats leaf ${count(of)}`
  return `leaves ${count(from)} to ${count(to)} repeat leaves ${count(of)} to ${count(of + to - from)}`
}

function tellLeaves({ content, from, size, leaves }: Findings): string {
  if (content === 'proofs') {
    return leaves === 0
      ? 'none'
      : `${count(leaves)}, each proven; the other leaves were not checked`
  }
  const range = leaves === 0 ? 'none' : `${count(from)} to ${count(size - 1)}`
  if (from > 0) return `${range}; the ${count(from)} before are included as hashes only`
  return leaves === 0 ? range : `${range}: all signed leaves`
}

function tellKept(kept: number, finding: string): string {
  return kept === 0 ? 'none compared' : `${count(kept)} that you kept: ${finding}`
}

/** An older state of an audit log is valid too: only a kept head or receipt shows the difference. */
function tellOpen({ heads, receipts }: Compared): string[] {
  if (heads > 0 || receipts > 0) return []
  return [
    '',
    'A log that was rolled back to an earlier state gives the same result. To detect that,',
    'keep heads or receipts outside of the gateway, and pass them with --head and --receipts.',
  ]
}

function count(value: number): string {
  return value.toLocaleString('en')
}
