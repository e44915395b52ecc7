import { createHash } from 'node:crypto'

/** What RFC 6962 says of a list of leaves: D[begin:end] is written `begin, end`. */
export interface NaiveTree {
  /** MTH(D[0:n]) */
  root(n: number): Buffer
  /** PATH(m, D[0:n]) */
  path(m: number, n: number): Buffer[]
  /** PROOF(m, D[0:n]), for 0 < m < n */
  proof(m: number, n: number): Buffer[]
}

/**
 * RFC 6962, 2.1, written down as it stands there: recursive, and sharing no code with what it is
 * compared to. It remembers roots only because all sizes would take minutes otherwise.
 */
export function naiveTree(leafHashes: readonly Uint8Array[]): NaiveTree {
  const known = new Map<string, Buffer>()

  function mth(begin: number, end: number): Buffer {
    const name = `${begin}:${end}`
    const root = known.get(name) ?? mthOf(begin, end)
    known.set(name, root)
    return root
  }

  function mthOf(begin: number, end: number): Buffer {
    const only = leafHashes[begin]
    if (begin === end || only === undefined) return sha256(Buffer.alloc(0))
    if (end - begin === 1) return Buffer.from(only)
    const k = begin + largestPowerBelow(end - begin)
    return sha256(Buffer.concat([Buffer.of(1), mth(begin, k), mth(k, end)]))
  }

  function path(m: number, begin: number, end: number): Buffer[] {
    if (end - begin <= 1) return []
    const k = begin + largestPowerBelow(end - begin)
    return m < k ? [...path(m, begin, k), mth(k, end)] : [...path(m, k, end), mth(begin, k)]
  }

  function subproof(m: number, begin: number, end: number, isKnown: boolean): Buffer[] {
    if (m === end) return isKnown ? [] : [mth(begin, end)]
    const k = begin + largestPowerBelow(end - begin)
    return m <= k
      ? [...subproof(m, begin, k, isKnown), mth(k, end)]
      : [...subproof(m, k, end, false), mth(begin, k)]
  }

  return {
    root: (n) => mth(0, n),
    path: (m, n) => path(m, 0, n),
    proof: (m, n) => subproof(m, 0, n, true),
  }
}

function largestPowerBelow(count: number): number {
  let power = 1
  while (power * 2 < count) power *= 2
  return power
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest()
}
