/**
 * The dimensions that totals can be grouped by. Their order is that of the stored bits, and must not
 * change.
 */
export const DIMENSIONS = [
  'agent',
  'mandate',
  'vendor',
  'category',
  'path',
  'rule',
  'code',
] as const

export type Dimension = (typeof DIMENSIONS)[number]

/** At most two dimensions, in the order of the list. */
export interface Grouping {
  readonly bits: number
  readonly dimensions: readonly Dimension[]
  /** The number of groups that each metric keeps per day and currency; undefined: all. */
  readonly keptMax: number | undefined
}

/**
 * Agents name vendors and categories, so their number, and that of their combinations, is unbounded.
 * For each day, the groups with the most money, the most rejections and the most approval requests are
 * kept, this many of each, and the others are summed up. An answer has at most 100 groups, so for a
 * single day it is complete.
 */
const KEPT_MAX = 100

/** Only administrators create agents and mandates. Paths and codes are fixed. */
const FEW: readonly (readonly Dimension[])[] = [
  [],
  ['agent'],
  ['mandate'],
  ['agent', 'mandate'],
  ['path'],
  ['code'],
  ['path', 'code'],
]

/**
 * No dimension, each dimension and each pair. Every query is answered from the rows of one of these.
 */
export const GROUPINGS: readonly Grouping[] = [
  toGrouping([]),
  ...DIMENSIONS.map((dimension) => toGrouping([dimension])),
  ...DIMENSIONS.flatMap((first, index) =>
    DIMENSIONS.slice(index + 1).map((second) => toGrouping([first, second])),
  ),
]

const BY_BITS = new Map(GROUPINGS.map((grouping) => [grouping.bits, grouping]))

/** The stored grouping of these dimensions; undefined for more than two. */
export function groupingOf(dimensions: Iterable<Dimension>): Grouping | undefined {
  return BY_BITS.get(bitsOf(dimensions))
}

function toGrouping(dimensions: readonly Dimension[]): Grouping {
  const bits = bitsOf(dimensions)
  const isFew = FEW.some((few) => bitsOf(few) === bits)
  return { bits, dimensions, keptMax: isFew ? undefined : KEPT_MAX }
}

function bitsOf(dimensions: Iterable<Dimension>): number {
  let bits = 0
  for (const dimension of dimensions) bits |= 1 << DIMENSIONS.indexOf(dimension)
  return bits
}
