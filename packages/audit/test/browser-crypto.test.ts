import { describe, expect, test } from 'vitest'
import {
  type Bytes,
  checkpointSteps,
  commitmentBytes,
  commitTo,
  consistencySteps,
  hashOfLeaf,
  inclusionSteps,
  leafBytes,
  makeProof,
  openCheckpoint,
  parseVerifierKey,
  planConsistency,
  planInclusion,
  runSteps,
  runStepsAsync,
  type SignatureCheck,
  toHex,
  type VerifySignature,
  verifierKeySteps,
} from '../src/index.ts'
import { sha256, verifySignature } from '../src/node/crypto.ts'
import { storedTree } from './stored-tree.ts'
import { headOf, keyText, someEntries, someSigner } from './verify/some-log.ts'

// The cryptography of a browser, which answers with promises.
const { subtle } = globalThis.crypto

async function browserSha256(bytes: Bytes): Promise<Uint8Array> {
  return new Uint8Array(await subtle.digest('SHA-256', bytes))
}

async function browserVerify({ publicKey, message, signature }: SignatureCheck): Promise<boolean> {
  const key = await subtle.importKey('raw', publicKey, 'Ed25519', false, ['verify'])
  return subtle.verify('Ed25519', key, signature, message)
}

const ENTRIES = someEntries(21)
const TREE = storedTree(ENTRIES.map(({ leaf }) => leafBytes(leaf).subarray(1)))
const ROOT = TREE.frontier.root()
const [ENTRY] = ENTRIES
const KEY = keyText(someSigner()).trim()

describe('with the cryptography of a browser', () => {
  test('a leaf and its commitment have the hashes that Node computes', async () => {
    if (!ENTRY) throw new Error('There is an entry.')
    const { leaf, payload, salt } = ENTRY
    const commitment = commitmentBytes(payload, salt) ?? new Uint8Array()
    expect(toHex(await browserSha256(leafBytes(leaf)))).toBe(toHex(hashOfLeaf(leaf, sha256)))
    expect(toHex(await browserSha256(commitment))).toBe(commitTo(payload, salt, sha256))
  })

  test.each([0, 7, 20])(
    'the proof of leaf %i holds, and that of a changed one fails',
    async (index) => {
      const size = ENTRIES.length
      const hashes = makeProof(planInclusion(index, size) ?? [], TREE.read, sha256) ?? []
      const claim = { leafHash: TREE.leafHashes[index] ?? ROOT, index, size, root: ROOT, hashes }
      expect(await runStepsAsync(inclusionSteps(claim), browserSha256)).toBe(true)
      const changed = { ...claim, leafHash: ROOT }
      expect(await runStepsAsync(inclusionSteps(changed), browserSha256)).toBe(false)
    },
  )

  test('the proof that the log only grew holds, and that of a changed root fails', async () => {
    const [first, second] = [6, ENTRIES.length]
    const before = storedTree(
      ENTRIES.slice(0, first).map(({ leaf }) => leafBytes(leaf).subarray(1)),
    )
    const hashes = makeProof(planConsistency(first, second) ?? [], TREE.read, sha256) ?? []
    const firstRoot = before.frontier.root()
    const claim = { first, firstRoot, second, secondRoot: ROOT, hashes }
    expect(await runStepsAsync(consistencySteps(claim), browserSha256)).toBe(true)
    const changed = { ...claim, firstRoot: ROOT }
    expect(await runStepsAsync(consistencySteps(changed), browserSha256)).toBe(false)
  })

  test('a key is read, and opens the checkpoint that it signed and no changed one', async () => {
    const key = await runStepsAsync(verifierKeySteps(KEY), browserSha256)
    expect(key).toEqual(parseVerifierKey(KEY, sha256))
    expect(await runStepsAsync(verifierKeySteps(`x${KEY}`), browserSha256)).toBeUndefined()
    const [keys, note] = [key ? [key] : [], headOf(ENTRIES)]
    const opened = await runStepsAsync(checkpointSteps(note, keys), browserVerify)
    expect(opened).toMatchObject({ size: 21, root: Uint8Array.from(ROOT) })
    expect(opened).toEqual(openCheckpoint(note, keys, verifySignature))
    const changed = note.replace('\n21\n', '\n22\n')
    expect(await runStepsAsync(checkpointSteps(changed, keys), browserVerify)).toBe('bad_signature')
  })

  test('a function for synchronous answers throws, and accepts no forged signature', () => {
    const key = parseVerifierKey(KEY, sha256)
    const forged = headOf(ENTRIES).replace('\n21\n', '\n22\n')
    const asynchronous = browserVerify as unknown as VerifySignature
    expect(() => openCheckpoint(forged, key ? [key] : [], asynchronous)).toThrow(
      new TypeError('The answer is a promise: use runStepsAsync.'),
    )
    expect(() => runSteps(verifierKeySteps(KEY), browserSha256 as never)).toThrow(TypeError)
  })

  test.each([Promise.resolve(false), 1, 'true', {}, undefined])(
    'a signature with the answer %j instead of true is bad',
    (answer) => {
      const key = parseVerifierKey(KEY, sha256)
      const steps = checkpointSteps(headOf(ENTRIES), key ? [key] : [])
      steps.next()
      expect(steps.next(answer as boolean)).toEqual({ done: true, value: 'bad_signature' })
    },
  )
})
