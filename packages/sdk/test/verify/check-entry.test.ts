import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkEntry, type EntryEvidence, type EntryLike } from '@purser/sdk/verify'
import { afterEach, describe, expect, test, vi } from 'vitest'

// The example of docs/guide-audit.md: three leaves, a key, a head of two leaves.
const GUIDE = readFileSync(join(import.meta.dirname, '../../../../docs/guide-audit.md'), 'utf8')
const KEY = block('vkey').trim()
const HEAD = block('note')
const LINES = block('ndjson')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line))
const CHECKPOINT: string = LINES[4].note
const LEAVES: readonly string[] = [1, 2, 3].map((at) => LINES[at].hash)

const { hash, index, leaf, payload, salt } = LINES[2]
const ENTRY: EntryLike = { index, leaf: hash, ...leaf, payload, salt }
const PROOF = { index: 1, leaf: hash, hashes: [LEAVES[0] ?? '', LEAVES[2] ?? ''] }
const EVIDENCE: EntryEvidence = {
  proof: { checkpoint: CHECKPOINT, inclusion: PROOF },
  keys: KEY,
  kept: { checkpoint: HEAD, consistency: { from: 2, hashes: [LEAVES[2] ?? ''] } },
}

function block(lang: string): string {
  return new RegExp(`\`\`\`${lang}\\n([\\s\\S]*?)\`\`\``).exec(GUIDE)?.[1] ?? ''
}

async function outcomes(entry: EntryLike, evidence: EntryEvidence = EVIDENCE) {
  const { record, inclusion, signature, growth } = await checkEntry(entry, evidence)
  return [record, inclusion, signature, growth].map(({ outcome }) => outcome)
}

afterEach(() => vi.unstubAllGlobals())

describe('checkEntry', () => {
  test('proves a true entry in four steps', async () => {
    expect(await checkEntry(ENTRY, EVIDENCE)).toEqual({
      record: { outcome: 'proven', commitment: ENTRY.commitment, leaf: hash },
      inclusion: { outcome: 'proven', hashes: 2, size: 3 },
      signature: { outcome: 'proven', fault: null, keyId: '937f7438' },
      growth: { outcome: 'proven', from: 2 },
    })
  })

  test('reports both hashes of an altered payload', async () => {
    const altered = { ...ENTRY, payload: { ...payload, amountMicros: '12500001' } }
    const { record } = await checkEntry(altered, EVIDENCE)
    expect(record.outcome).toBe('refuted')
    expect(record.commitment).not.toBe(ENTRY.commitment)
    expect(record.leaf).toBe(hash)
  })

  test.each<[string, object]>([
    ['time', { at: '2026-11-16T09:00:04.121Z' }],
    ['actor', { actorId: 'cli' }],
    ['commitment', { commitment: hash }],
    ['kind that no leaf can have', { kind: 'A kind' }],
    ['salt', { salt: 'f'.repeat(32) }],
    ['salt of another form', { salt: 'zz' }],
  ])('refutes a changed %s', async (_name, change) => {
    expect((await outcomes({ ...ENTRY, ...change }))[0]).toBe('refuted')
  })

  test('accepts an entry whose payload retention has removed', async () => {
    const { record } = await checkEntry({ ...ENTRY, payload: null, salt: null }, EVIDENCE)
    expect(record).toEqual({ outcome: 'proven', commitment: null, leaf: hash })
  })

  test('refutes a path of a different leaf, and a missing one', async () => {
    const moved = {
      ...EVIDENCE,
      proof: { checkpoint: CHECKPOINT, inclusion: { ...PROOF, index: 2 } },
    }
    expect((await outcomes(ENTRY, moved))[1]).toBe('refuted')
    const none = { ...EVIDENCE, proof: { checkpoint: CHECKPOINT, inclusion: null } }
    expect((await outcomes(ENTRY, none))[1]).toBe('refuted')
  })

  test('names an unknown key and a wrong signature', async () => {
    const other = 'purser/audit/org_01a1e258934c7487916523f9440fcb0c'
    const forged = CHECKPOINT.replace('7S9QE=', '7S9QA=')
    const proof = { checkpoint: forged, inclusion: PROOF }
    expect((await checkEntry(ENTRY, { ...EVIDENCE, proof })).signature.fault).toBe('bad_signature')
    await expect(checkEntry(ENTRY, { ...EVIDENCE, keys: other })).rejects.toMatchObject({
      code: 'keys_invalid',
    })
    const stranger = CHECKPOINT.replaceAll('k390OObm', 'AAAAOObm')
    const signed = await checkEntry(ENTRY, {
      ...EVIDENCE,
      proof: { checkpoint: stranger, inclusion: PROOF },
    })
    expect(signed.signature).toMatchObject({ outcome: 'refuted', fault: 'unknown_key' })
  })

  test('refutes growth that leaves out a kept leaf, and a shorter log', async () => {
    const bent = { checkpoint: HEAD, consistency: { from: 2, hashes: [LEAVES[0] ?? ''] } }
    expect((await outcomes(ENTRY, { ...EVIDENCE, kept: bent }))[3]).toBe('refuted')
    const longer = { checkpoint: CHECKPOINT, consistency: { from: 3, hashes: [] } }
    const old = { checkpoint: HEAD, inclusion: { ...PROOF, hashes: [LEAVES[0] ?? ''] } }
    expect(await outcomes(ENTRY, { keys: KEY, proof: old, kept: longer })).toEqual([
      ...['proven', 'proven', 'proven', 'refuted'],
    ])
  })

  test('has nothing to compare without a kept checkpoint', async () => {
    expect((await outcomes(ENTRY, { ...EVIDENCE, kept: null }))[3]).toBe('unchecked')
  })

  test('checks hashes and path where Ed25519 is missing', async () => {
    const { subtle } = globalThis.crypto
    const importKey = () => Promise.reject(new DOMException('', 'NotSupportedError'))
    vi.stubGlobal('crypto', { subtle: { digest: subtle.digest.bind(subtle), importKey } })
    const { signature } = await checkEntry(ENTRY, EVIDENCE)
    expect(signature).toEqual({ outcome: 'unchecked', fault: 'crypto_unsupported', keyId: null })
    expect(await outcomes(ENTRY)).toEqual(['proven', 'proven', 'unchecked', 'proven'])
  })

  test('checks nothing on a page without crypto.subtle', async () => {
    vi.stubGlobal('crypto', {})
    expect(await outcomes(ENTRY)).toEqual(Array(4).fill('unchecked'))
  })
})
