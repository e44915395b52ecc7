import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  EMPTY_ROOT,
  type ExportLine,
  hashOfLeaf,
  makeLeaf,
  parseExportLine,
  writeExportLine,
} from '../src/index.ts'
import { sha256 } from '../src/node/crypto.ts'

const SALT = new Uint8Array(16).fill(7)
const AT = '2026-11-16T06:35:39.120Z'
const ABOUT = { kind: 'agent.paused', subject: 'agent_1', at: AT, actorId: 'key_1' }
const HASHES = [EMPTY_ROOT, EMPTY_ROOT]

function leafLine(payload: unknown): ExportLine {
  const leaf = makeLeaf(ABOUT, payload, SALT, sha256)
  if (!leaf) throw new Error('These are fields of a leaf.')
  return {
    type: 'leaf',
    index: 3,
    hash: Uint8Array.from(hashOfLeaf(leaf, sha256)),
    leaf,
    opening: { payload, salt: SALT },
  }
}

const LINES: readonly ExportLine[] = [
  {
    type: 'header',
    version: 1,
    log: 'a.example/log',
    content: 'leaves',
    from: 3,
    frontier: HASHES,
  },
  leafLine({ before: null, after: { name: 'Größe' } }),
  { type: 'leaf', index: 3, hash: EMPTY_ROOT },
  { type: 'leaf', index: 3, hash: EMPTY_ROOT, proof: HASHES },
  { type: 'checkpoint', note: 'a.example/log\n3\n' },
  { type: 'proof', size: 2, root: EMPTY_ROOT, hashes: [] },
]

describe('a line of an export', () => {
  test.each(LINES)('is read as it was written: $type', (line) => {
    const text = writeExportLine(line) ?? ''
    expect(text).not.toContain('\n')
    expect(parseExportLine(text)).toEqual(line)
  })

  test('is read as it was written, whatever the payload is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        // A text leaves no difference between 0 and -0.
        const line = leafLine(JSON.parse(JSON.stringify(value)))
        expect(parseExportLine(writeExportLine(line) ?? '')).toEqual(line)
      }),
    )
  })

  test.each([
    ['a space', (text: string) => text.replace(':', ': ')],
    ['a field that nobody knows', (text: string) => text.replace('"type"', '"other":1,"type"')],
    ['a field twice', (text: string) => text.replace('{', '{"after":1,')],
    ['another order', (text: string) => text.replace(/^\{("\w+":[^,]+),(.*)\}$/, '{$2,$1}')],
    ['an escape that is not needed', (text: string) => text.replace('"type"', '"t\\u0079pe"')],
    ['capitals', (text: string) => text.replace(/[0-9a-f]{64}/, (hash) => hash.toUpperCase())],
    ['nothing behind it', (text: string) => text.slice(0, -1)],
  ])('is refused with %s', (_, change) => {
    for (const line of LINES) {
      const text = writeExportLine(line) ?? ''
      if (change(text) !== text) expect(parseExportLine(change(text))).toBeUndefined()
    }
  })

  test('is refused with a payload and no salt, or no leaf, or the other way round', () => {
    const { leaf, payload, salt, ...rest } = JSON.parse(writeExportLine(leafLine({ a: 1 })) ?? '')
    for (const parts of [{ leaf, payload }, { leaf, salt }, { payload, salt }, { salt }]) {
      expect(parseExportLine(sorted({ ...rest, ...parts }))).toBeUndefined()
    }
    expect(parseExportLine(sorted({ ...rest, leaf, payload, salt }))).toBeDefined()
    expect(parseExportLine(sorted({ ...rest, leaf }))).toBeDefined()
  })

  test('is refused with a name of a log that a terminal would obey', () => {
    const [header] = LINES
    const text = header ? (writeExportLine(header) ?? '') : ''
    for (const hidden of ['\\u001b[2J', '\u202e', ' ', '+', 'a'.repeat(300)]) {
      expect(parseExportLine(text.replace('a.example/log', `a.example${hidden}`))).toBeUndefined()
    }
    expect(parseExportLine(text.replace('a.example/log', 'b.example'))).toBeDefined()
  })

  test('is refused with more hashes than a tree has levels', () => {
    const proof = (count: number): string =>
      writeExportLine({
        ...lineOfProof,
        hashes: Array.from({ length: count }, () => EMPTY_ROOT),
      }) ?? ''
    const lineOfProof = { type: 'proof', size: 2, root: EMPTY_ROOT } as const
    expect(parseExportLine(proof(54))).toBeDefined()
    expect(parseExportLine(proof(55))).toBeUndefined()
  })

  test('that is anything at all is refused without throwing', () => {
    const hostile = fc.oneof(fc.string(), fc.json(), fc.constant('['.repeat(100_000)))
    fc.assert(
      fc.property(hostile, (text) => {
        expect(parseExportLine(text)).toBeUndefined()
      }),
    )
    const deep = `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`
    expect(parseExportLine(`{"payload":${deep},"type":"leaf"}`)).toBeUndefined()
  })
})

function sorted(value: object): string {
  return JSON.stringify(Object.fromEntries(Object.entries(value).sort()))
}
