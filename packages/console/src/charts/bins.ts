export interface Bin {
  from: number
  to: number
  count: number
}

/** Counts amounts in bins of equal width. The last bin holds everything above its lower edge. */
export function binsOf(amounts: readonly number[], top: number, count = 30): Bin[] {
  const width = top > 0 ? top / count : 1
  const bins = Array.from({ length: count }, (_, index) => ({
    from: index * width,
    to: (index + 1) * width,
    count: 0,
  }))
  for (const amount of amounts) {
    const bin = bins[Math.min(count - 1, Math.max(0, Math.floor(amount / width)))]
    if (bin) bin.count += 1
  }
  return bins
}

export type BinKind = 'within' | 'newly' | 'beyond'

/** Whether a bin was allowed, is allowed only now, or is beyond the limit. */
export function binKind(bin: Bin, limit: number | null, was: number | null): BinKind {
  const middle = (bin.from + bin.to) / 2
  if (limit !== null && middle > limit) return 'beyond'
  return was !== null && middle > was ? 'newly' : 'within'
}
