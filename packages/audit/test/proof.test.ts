import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  createFrontier,
  EMPTY_ROOT,
  equalBytes,
  type Hash,
  joinNodes,
  makeProof,
  nodesOfPlan,
  placeOf,
  planConsistency,
  planInclusion,
  subtreesOf,
  toHex,
  verifyConsistency,
  verifyInclusion,
} from '../src/index.ts'
import { sha256 } from '../src/node/crypto.ts'
import { naiveTree } from './naive-tree.ts'
import { emptyFrontier, someLeaves, storedTree } from './stored-tree.ts'

const SIZE_MAX = 130
const TREE = storedTree(someLeaves(SIZE_MAX))
const NAIVE = naiveTree(TREE.leafHashes)

function rootAt(size: number): Hash {
  return NAIVE.root(size)
}

function leafHashAt(index: number): Hash {
  return TREE.leafHashes[index] ?? EMPTY_ROOT
}

describe('the tree of Certificate Transparency, whose hashes are known', () => {
  const leaves = [
    ...['', '00', '10', '2021', '3031', '40414243', '5051525354555657'],
    '606162636465666768696a6b6c6d6e6f',
  ].map((hex) => Buffer.from(hex, 'hex'))
  const roots = [
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
    'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
    'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
    'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
    '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
    'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
    '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
  ]
  const known = storedTree(leaves)

  test('has these roots', () => {
    const frontier = emptyFrontier()
    const seen = [frontier.root()]
    for (const leafHash of known.leafHashes) {
      frontier.append(leafHash)
      seen.push(frontier.root())
    }
    expect(seen.map(toHex)).toEqual(roots)
  })

  test.each([
    [0, ['96a296d2', '5f083f0a', '6b47aaf2']],
    [5, ['bc1a0643', 'ca854ea1', 'd37ee418']],
  ])('has these hashes in the proof of leaf %i', (index, beginnings) => {
    expect(beginningsOf(makeProof(planInclusion(index, 8) ?? [], known.read, sha256))).toEqual(
      beginnings,
    )
  })

  test.each([
    [2, ['5f083f0a', '6b47aaf2']],
    [6, ['0ebc5d34', 'ca854ea1', 'd37ee418']],
  ])('has these hashes in the proof that it goes on from size %i', (size, beginnings) => {
    expect(beginningsOf(makeProof(planConsistency(size, 8) ?? [], known.read, sha256))).toEqual(
      beginnings,
    )
  })

  function beginningsOf(hashes: readonly Hash[] = []): string[] {
    return hashes.map((hash) => toHex(hash).slice(0, 8))
  }
})

describe('at every size from 0 to 130', () => {
  test('the root of the nodes that are stored is the root of the leaves', () => {
    for (let size = 0; size <= SIZE_MAX; size++) {
      const nodes = subtreesOf({ begin: 0, end: size }).map((it) => TREE.read(it) ?? EMPTY_ROOT)
      expect(equalBytes(joinNodes(nodes, sha256), rootAt(size))).toBe(true)
    }
  })

  test('a frontier goes on from the nodes that are stored', () => {
    for (let size = 0; size < SIZE_MAX; size++) {
      const nodes = subtreesOf({ begin: 0, end: size }).map((it) => TREE.read(it) ?? EMPTY_ROOT)
      const frontier = createFrontier(sha256, size, nodes)
      frontier?.append(leafHashAt(size))
      expect(equalBytes(frontier?.root() ?? EMPTY_ROOT, rootAt(size + 1))).toBe(true)
      expect(createFrontier(sha256, size, [...nodes, EMPTY_ROOT])).toBeUndefined()
    }
  })

  test('every leaf has the proof of the RFC, it holds, and it holds at no other place', () => {
    const wrong: string[] = []
    for (const [index, size] of pairs((a, b) => a < b)) {
      const hashes = makeProof(planInclusion(index, size) ?? [], TREE.read, sha256) ?? []
      const claim = { leafHash: leafHashAt(index), index, size, root: rootAt(size), hashes }
      const isRight =
        areSame(hashes, NAIVE.path(index, size)) &&
        verifyInclusion(claim, sha256) &&
        !verifyInclusion({ ...claim, index: index + 1 }, sha256) &&
        !verifyInclusion({ ...claim, root: rootAt(size - 1) }, sha256) &&
        !verifyInclusion({ ...claim, hashes: [...hashes, EMPTY_ROOT] }, sha256)
      if (!isRight) wrong.push(`${index} of ${size}`)
    }
    expect(wrong).toEqual([])
  })

  test('every pair of sizes has the proof of the RFC, and it holds for these two roots only', () => {
    const wrong: string[] = []
    for (const [first, second] of pairs((a, b) => a <= b)) {
      const hashes = makeProof(planConsistency(first, second) ?? [], TREE.read, sha256) ?? []
      const isTrivial = first === 0 || first === second
      const roots = { firstRoot: rootAt(first), secondRoot: rootAt(second) }
      const claim = { first, second, ...roots, hashes }
      const isRight =
        areSame(hashes, isTrivial ? [] : NAIVE.proof(first, second)) &&
        verifyConsistency(claim, sha256) &&
        !verifyConsistency({ ...claim, firstRoot: leafHashAt(129) }, sha256) &&
        // Every tree goes on from the empty one.
        verifyConsistency({ ...claim, secondRoot: leafHashAt(129) }, sha256) === (first === 0) &&
        !verifyConsistency({ ...claim, hashes: [...hashes, EMPTY_ROOT] }, sha256)
      if (!isRight) wrong.push(`${first} to ${second}`)
    }
    expect(wrong).toEqual([])
  })

  function pairs(isWanted: (a: number, b: number) => boolean): [number, number][] {
    const sizes = Array.from({ length: SIZE_MAX + 1 }, (_, size) => size)
    return sizes.flatMap((b) =>
      sizes.filter((a) => isWanted(a, b)).map((a): [number, number] => [a, b]),
    )
  }

  function areSame(one: readonly Hash[], other: readonly Hash[]): boolean {
    return one.length === other.length && Buffer.concat(one).equals(Buffer.concat(other))
  }
})

describe('a proof', () => {
  test('fails for every single byte that is another', () => {
    const [index, first, size] = [77, 77, 130]
    const path = makeProof(planInclusion(index, size) ?? [], TREE.read, sha256) ?? []
    const steps = makeProof(planConsistency(first, size) ?? [], TREE.read, sha256) ?? []
    const inclusion = [leafHashAt(index), rootAt(size), ...path]
    for (const [leafHash = EMPTY_ROOT, root = EMPTY_ROOT, ...hashes] of alterations(inclusion)) {
      expect(verifyInclusion({ leafHash, index, size, root, hashes }, sha256)).toBe(false)
    }
    const consistency = [rootAt(first), rootAt(size), ...steps]
    for (const [firstRoot = EMPTY_ROOT, secondRoot = EMPTY_ROOT, ...hashes] of alterations(
      consistency,
    )) {
      expect(
        verifyConsistency({ first, second: size, firstRoot, secondRoot, hashes }, sha256),
      ).toBe(false)
    }
  })

  test('of ten million leaves takes at most 48 rows', () => {
    fc.assert(
      fc.property(fc.nat(10_000_000), fc.nat(10_000_000), (a, b) => {
        const [index, size] = [Math.min(a, b), Math.max(a, b) + 1]
        for (const plan of [planInclusion(index, size), planConsistency(index, size)]) {
          const rows = nodesOfPlan(plan ?? []).map((address) => placeOf(address).position)
          expect(rows.length).toBeLessThanOrEqual(48)
          // Every row is that of a leaf which the tree already has.
          expect(rows.every((row) => row < size)).toBe(true)
        }
        expect(subtreesOf({ begin: 0, end: size }).length).toBeLessThanOrEqual(24)
      }),
    )
  })

  test('is planned for the largest tree that can be counted', () => {
    const size = Number.MAX_SAFE_INTEGER
    expect(planInclusion(0, size)).toHaveLength(53)
    expect(planInclusion(size - 1, size)).toHaveLength(52)
    expect(planConsistency(size - 1, size)?.length).toBeLessThanOrEqual(53)
  })

  test('says no to anything, and never throws', () => {
    const hostile = fc.oneof(fc.integer(), fc.double(), fc.constant(2 ** 53), fc.constant(-1))
    const bytes = fc.uint8Array({ maxLength: 40 }).map((it) => Buffer.from(it))
    fc.assert(
      fc.property(hostile, hostile, bytes, bytes, fc.array(bytes), (a, b, one, other, hashes) => {
        const inclusion = { leafHash: one, index: a, size: b, root: other, hashes }
        expect(verifyInclusion(inclusion, sha256)).toBe(false)
        const roots = { firstRoot: one, secondRoot: other, hashes }
        expect(verifyConsistency({ first: a, second: b, ...roots }, sha256)).toBe(false)
      }),
    )
  })

  test('is not made where a node is missing', () => {
    expect(makeProof(planInclusion(3, 8) ?? [], () => undefined, sha256)).toBeUndefined()
    expect(planInclusion(8, 8)).toBeUndefined()
    expect(planConsistency(9, 8)).toBeUndefined()
  })
})

/** The same hashes again and again, each time with one byte changed. */
function* alterations(hashes: readonly Hash[]): Generator<Hash[]> {
  for (const [place, hash] of hashes.entries()) {
    for (const byte of hash.keys()) {
      const altered = Buffer.from(hash)
      altered[byte] = (altered[byte] ?? 0) ^ 0x01
      yield hashes.map((other, at) => (at === place ? altered : other))
    }
  }
}
