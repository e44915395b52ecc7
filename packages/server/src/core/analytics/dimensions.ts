/** What sums can be grouped by. The order is that of the bits, and must not change: sums are stored by it. */
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
  /** How many groups of a day and a currency are told apart by each metric; undefined: all. */
  readonly keptMax: number | undefined
}

/**
 * Vendors, categories and what they are combined with are named by agents, so their number has no
 * end. Of a day, the groups with the most money, with the most refusals and with the most questions
 * to people are kept, this many of each, and the others are summed up. An answer tells 100 apart at
 * the most, so that of one day it is complete.
 */
const KEPT_MAX = 100

/** Only administrators make agents and mandates. Paths and codes are fixed. */
const FEW: readonly (readonly Dimension[])[] = [
  [],
  ['agent'],
  ['mandate'],
  ['agent', 'mandate'],
  ['path'],
  ['code'],
  ['path', 'code'],
]

/** Nothing, each dimension and each pair. Any question is answered from the rows of one of these. */
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
