import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  commitTo,
  equalBytes,
  hashOfLeaf,
  type Leaf,
  makeLeaf,
  parseLeaf,
  toHex,
} from '../src/index.ts'
import { sha256 } from '../src/node/crypto.ts'

const SALT = Buffer.from('000102030405060708090a0b0c0d0e0f', 'hex')
const ABOUT = {
  kind: 'transaction.approved',
  subject: 'txn_01a1e258934c7487916523f9440fcb0c',
  at: '2026-11-16T06:35:39.120Z',
  actorId: 'key_01a1e258934c7487916523f9440fcb0d',
}
const PAYLOAD = { vendor: 'api.openai.com', amount: 12.5 }

function aLeaf(about: Partial<typeof ABOUT> = {}, payload: unknown = PAYLOAD): Leaf {
  const leaf = makeLeaf({ ...ABOUT, ...about }, payload, SALT, sha256)
  if (!leaf) throw new Error('These are fields of a leaf.')
  return leaf
}

function digest(...parts: readonly (Buffer | string)[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest('hex')
}

describe('a leaf', () => {
  test('has the hash that anybody computes from the texts of the guide', () => {
    const commitment = digest(SALT, '{"amount":12.5,"vendor":"api.openai.com"}')
    const text = `{"actorId":"${ABOUT.actorId}","at":"${ABOUT.at}","commitment":"${commitment}","kind":"${ABOUT.kind}","subject":"${ABOUT.subject}","version":1}`
    expect(toHex(hashOfLeaf(aLeaf(), sha256))).toBe(digest(Buffer.of(0), text))
  })

  test('commits to the payload with a salt, so that the same payload cannot be recognized', () => {
    expect(commitTo(PAYLOAD, SALT, sha256)).not.toBe(commitTo(PAYLOAD, Buffer.alloc(16), sha256))
    expect(commitTo(PAYLOAD, SALT, sha256)).toBe(
      commitTo({ amount: 12.5, vendor: 'api.openai.com' }, SALT, sha256),
    )
    expect(commitTo(PAYLOAD, SALT.subarray(1), sha256)).toBeUndefined()
    expect(commitTo({ amount: 1n }, SALT, sha256)).toBeUndefined()
  })

  test.each([
    ['a kind with capitals', { kind: 'Transaction' }],
    ['a kind without an end', { kind: 'a'.repeat(65) }],
    ['no subject', { subject: '' }],
    ['a subject with a line break', { subject: 'txn_1\n' }],
    ['an instant in another spelling', { at: '2026-11-16T06:35:39Z' }],
    ['a day that is not there', { at: '2026-02-30T06:35:39.120Z' }],
    ['an actor with a space', { actorId: 'Ada Lovelace' }],
  ])('is not made of %s', (_, about) => {
    expect(makeLeaf({ ...ABOUT, ...about }, PAYLOAD, SALT, sha256)).toBeUndefined()
  })

  test('is read with exactly its fields', () => {
    const leaf = aLeaf()
    expect(parseLeaf({ ...leaf })).toEqual(leaf)
    expect(parseLeaf({ ...leaf, actorId: null })).toEqual({ ...leaf, actorId: null })
    for (const wrong of [
      { ...leaf, more: 1 },
      { ...leaf, version: 2 },
      { ...leaf, commitment: leaf.commitment.toUpperCase() },
      { ...leaf, at: undefined },
      Object.values(leaf),
      null,
      'leaf',
    ]) {
      expect(parseLeaf(wrong)).toBeUndefined()
    }
  })

  test('reads anything without throwing', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        expect(parseLeaf(value)).toBeUndefined()
      }),
    )
  })

  test('has another hash as soon as one letter of one field is another', () => {
    const leaf = aLeaf()
    const [text, hash] = [JSON.stringify(leaf), hashOfLeaf(leaf, sha256)]
    const changed = Array.from(text, (letter, place) =>
      ['0', 'b', 'Z', '"', '.']
        .filter((other) => other !== letter)
        .map((other) => parse(text.slice(0, place) + other + text.slice(place + 1))),
    )
    const leaves = changed.flat().filter((other) => other !== undefined)
    expect(leaves.length).toBeGreaterThan(100)
    expect(leaves.filter((other) => equalBytes(hashOfLeaf(other, sha256), hash))).toEqual([])
  })
})

function parse(text: string): Leaf | undefined {
  try {
    return parseLeaf(JSON.parse(text))
  } catch {
    return undefined
  }
}
