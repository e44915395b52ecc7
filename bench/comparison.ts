/** The direction in which each figure should go. */
const FIGURES = {
  'requests/s': 'up',
  'CPU µs per decision': 'down',
  'µs per decide': 'down',
} as const
const PAIRS_MIN = 10

/** One figure of both builds, measured one right after the other. */
export interface Pair {
  readonly scenario: string
  readonly figure: keyof typeof FIGURES
  readonly against: number
  readonly present: number
}

/** The commit to compare with, and the current tree. */
export type Side = 'against' | 'present'

export interface Spread {
  readonly min: number
  readonly lowerQuartile: number
  readonly median: number
  readonly upperQuartile: number
  readonly max: number
}

export interface Row {
  readonly scenario: string
  readonly figure: string
  /** The medians of each build. They show the order of magnitude; only ratios are compared. */
  readonly against: number
  readonly present: number
  readonly pairs: number
  /** The ratio present ÷ against of each pair. */
  readonly ratio: Spread
  readonly verdict: 'better' | 'level' | 'worse' | 'too few pairs'
}

/** Measures both, in an order that changes with each pair, so that neither always comes first. */
export async function measureInTurns<Figures>(
  pair: number,
  measure: (side: Side) => Promise<Figures>,
): Promise<Record<Side, Figures>> {
  if (pair % 2 === 0) {
    const present = await measure('present')
    return { against: await measure('against'), present }
  }
  const against = await measure('against')
  return { against, present: await measure('present') }
}

/** One row for each scenario and figure, in the order in which they were first measured. */
export function comparePairs(pairs: readonly Pair[]): Row[] {
  const groups = new Map<string, Pair[]>()
  for (const pair of pairs) {
    const name = `${pair.scenario} ${pair.figure}`
    groups.set(name, [...(groups.get(name) ?? []), pair])
  }
  return [...groups.values()].map(toRow)
}

function toRow(group: readonly Pair[]): Row {
  const [first] = group
  if (first === undefined) throw new Error('There is nothing to compare.')
  const ratios = group.map(ratioOf)
  return {
    scenario: first.scenario,
    figure: first.figure,
    against: round(spreadOf(group.map(({ against }) => against)).median, 2),
    present: round(spreadOf(group.map(({ present }) => present)).median, 2),
    pairs: group.length,
    ratio: spreadOf(ratios),
    verdict: judge(ratios, FIGURES[first.figure]),
  }
}

export function ratioOf({ present, against }: Pair): number {
  return present / against
}

/** Quartiles between two values are interpolated. */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (share: number): number => {
    const position = share * (sorted.length - 1)
    const below = sorted[Math.floor(position)] ?? Number.NaN
    const above = sorted[Math.ceil(position)] ?? Number.NaN
    return round(below + (above - below) * (position % 1), 3)
  }
  return {
    min: at(0),
    lowerQuartile: at(0.25),
    median: at(0.5),
    upperQuartile: at(0.75),
    max: at(1),
  }
}

/**
 * Nine pairs in ten must agree. With ten pairs of equal builds, nine agree by chance once in a
 * hundred.
 */
function judge(ratios: readonly number[], wanted: 'up' | 'down'): Row['verdict'] {
  if (ratios.length < PAIRS_MIN) return 'too few pairs'
  const enough = 0.9 * ratios.length
  const above = ratios.filter((ratio) => ratio > 1).length
  const below = ratios.filter((ratio) => ratio < 1).length
  if (Math.max(above, below) < enough) return 'level'
  return above > below === (wanted === 'up') ? 'better' : 'worse'
}

export function toTable(rows: readonly Row[]): string[] {
  return [
    '| Scenario | Figure | against | present | present ÷ against | quartiles | min to max | |',
    '|---|---|---|---|---|---|---|---|',
    ...rows.map(({ scenario, figure, against, present, ratio, verdict }) => {
      const quartiles = `${ratio.lowerQuartile} to ${ratio.upperQuartile}`
      const figures = `${figure} | ${against} | ${present} | ${ratio.median}`
      return `| ${scenario} | ${figures} | ${quartiles} | ${ratio.min} to ${ratio.max} | ${verdict} |`
    }),
  ]
}

function round(value: number, decimals: number): number {
  return Number(value.toFixed(decimals))
}
