import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  exportOf,
  headOf,
  keyText,
  receiptOf,
  someEntries,
  someSigner,
} from '../../audit/test/verify/some-log.ts'
import { createTemporaryFolder } from '../../server/test/support/database.ts'
import { callPurser, type Ended } from './support/in-process.ts'
import { killPursers, startPurser } from './support/purser.ts'

const ENTRIES = someEntries(30)
const ALL = ['export.ndjson', '--key', 'log.vkey']
const ERROR = '{"type":"urn:purser:problem:unauthenticated","status":401,"code":"unauthenticated"}'
const NOT_THERE = /^error: \S+nowhere cannot be read: there is no such file$/m
const A_FOLDER = /^error: \S+folder cannot be read: it is a folder$/m

describe('purser verify', () => {
  let folder: Awaited<ReturnType<typeof createTemporaryFolder>>
  beforeEach(async () => {
    folder = await createTemporaryFolder()
    await file('log.vkey', `# the key since November\n\n${keyText(someSigner())}`)
    await file('export.ndjson', exportOf(ENTRIES, { pruned: [3] }).join('\n'))
  })
  afterEach(async () => {
    killPursers()
    await folder.remove()
  })

  test('ends with 0 and says what is proven, and what only something that is kept can show', async () => {
    const purser = await startPurser(['verify', ...inFolder(ALL)])
    expect(await purser.exited()).toBe(0)
    const said = purser.lines.join('\n')
    expect(said).toMatch(/^Everything fits\.$/m)
    expect(said).toMatch(/^ {2}leaves +0 to 29: all signed leaves$/m)
    expect(said).toMatch(/^ {2}pruned +1, verified only by their hashes/m)
    expect(said).toContain('rolled back to an earlier state gives the same result')
  })

  test('prints the result as JSON with --json, with the same exit codes', async () => {
    const fits = await verify([...ALL, '--json'])
    expect([await fits.exited(), fits.told]).toEqual([0, []])
    expect(JSON.parse(fits.lines.join())).toMatchObject({
      kind: 'fits',
      findings: { leaves: 30, pruned: 1 },
      compared: { heads: 0, receipts: 0 },
    })
    await file('export.ndjson', exportOf(ENTRIES).toSpliced(5, 1).join('\n'))
    const tampered = await verify([...ALL, '--json'])
    expect([await tampered.exited(), tampered.told]).toEqual([1, []])
    expect(JSON.parse(tampered.lines.join())).toEqual({
      kind: 'mismatch',
      text: expect.stringMatching(/^Line \d+: /),
    })
  })

  test('holds the log against heads and receipts', async () => {
    await file('early', headOf(ENTRIES.slice(0, 7)))
    await file('late', headOf(ENTRIES))
    await file('receipts.ndjson', ENTRIES.map((entry) => receiptOf(entry)).join('\n'))
    const kept = ['--head', 'early', '--head', 'late', '--receipts', 'receipts.ndjson']
    const purser = await verify([...ALL, ...kept])
    expect(await purser.exited()).toBe(0)
    expect(purser.lines.join('\n')).toMatch(/^ {2}heads +2 that you kept/m)
    expect(purser.lines.join('\n')).toMatch(/^ {2}receipts +30 that you kept/m)
    expect(purser.lines.join('\n')).not.toContain('gives the same result')
  })

  test('ends with 2 after an unexpected error, since 1 means that the log is wrong', async () => {
    const works = globalThis.btoa
    globalThis.btoa = () => {
      throw new RangeError('out of memory')
    }
    try {
      const purser = await verify(ALL)
      expect(await purser.exited()).toBe(2)
      expect(purser.told.join('\n')).toContain('error: out of memory')
    } finally {
      globalThis.btoa = works
    }
  })

  test('passes over empty lines between receipts, as a shell leaves them', async () => {
    const lines = ENTRIES.map((entry) => receiptOf(entry))
    await file('receipts.ndjson', `\n${lines.join('\n\n')}\n\n`)
    const purser = await verify([...ALL, '--receipts', 'receipts.ndjson'])
    expect(await purser.exited()).toBe(0)
    expect(purser.lines.join('\n')).toMatch(/^ {2}receipts +30 that you kept/m)
  })

  test('says what an export that begins later does not show', async () => {
    await file('export.ndjson', exportOf(ENTRIES, { from: 20 }).join('\n'))
    await file('head', headOf(ENTRIES.slice(0, 7)))
    const purser = await verify(ALL)
    expect(await purser.exited()).toBe(0)
    expect(purser.lines).toContain(
      '  leaves    20 to 29; the 20 before are included as hashes only',
    )
    const other = await verify([...ALL, '--head', 'head'])
    expect(await other.exited()).toBe(2)
    expect(other.told.join('\n')).toMatch(
      /^error: The export itself fits, but .* use an export that begins with leaf 7 or earlier/m,
    )
  })

  test('says which export can show whether a receipt is in the log', async () => {
    await file('export.ndjson', exportOf(ENTRIES, { from: 20 }).join('\n'))
    await file(
      'receipts',
      ENTRIES.slice(0, 1)
        .map((entry) => receiptOf(entry))
        .join('\n'),
    )
    const purser = await verify([...ALL, '--receipts', 'receipts'])
    expect(await purser.exited()).toBe(2)
    expect(purser.told.join('\n')).toMatch(/begins with leaf 20, so use one from the beginning/)
  })

  test.each([
    ['with another line break at its end, as jq writes it', (note: string) => `${note}\n`],
    ['with the line breaks of Windows', (note: string) => note.replaceAll('\n', '\r\n')],
    ['as webhooks bring it', (note: string) => `${Buffer.from(note).toString('base64')}\n`],
  ])('takes a head %s', async (_, write) => {
    await file('head', write(headOf(ENTRIES.slice(0, 7))))
    const purser = await verify([...ALL, '--head', 'head'])
    expect(await purser.exited()).toBe(0)
    expect(purser.lines.join('\n')).toMatch(/^ {2}heads +1 that you kept/m)
  })

  test.each([
    [
      'the line breaks of Windows',
      (text: string) => text.replaceAll('\n', '\r\n'),
      /Line 1: .* ends with CR LF/,
    ],
    ['a proof that is none', () => '{"checkpoint":"","log":""}', /Line 1: this is not a line of/],
    ['half a line', (text: string) => text.slice(0, -200), /Line 32: the line was cut off/],
    ['an empty line', (text: string) => `${text}\n\n`, /Line 33: the line is empty/],
    ['an error behind it', (text: string) => `${text}\n${ERROR}`, /Line 33: .* an error of the/],
    [
      'leaves that come again',
      (text: string) => `${text}\n${text}`,
      /Line 33: .* leaf 0, but leaf 30 is next: resume it with cursor=30/,
    ],
  ])('ends with 1 and says what to do with %s', async (_, spoil, said) => {
    await file('export.ndjson', spoil(exportOf(ENTRIES).join('\n')))
    const purser = await verify(ALL)
    expect(await purser.exited()).toBe(1)
    expect(purser.told.join('\n')).toMatch(said)
  })

  test.each([
    ['a packed file', (text: string) => gzipSync(text), /Line 1: .* decompress it first/],
    ['a list for people', () => '{"log":"purser","data":[]}', /Line 1: .*application\/x-ndjson/],
    ['CSV', () => 'transactionId,status\r\n', /Line 1: this is CSV .*application\/x-ndjson/],
    ['an answer in several lines', () => '{\n  "log": 1\n}', /Line 1: .* as the gateway sent it/],
    ['an error that was kept instead', () => ERROR, /Line 1: .* an error of the gateway/],
    ['a text', () => '# Purser', /Line 1: this is not a line of an export/],
    ['an empty file', () => '', /^error: The export is empty\.$/m],
  ])('ends with 2 and says what to do with %s', async (_, content, said) => {
    await file('export.ndjson', content(exportOf(ENTRIES).join('\n')))
    const purser = await verify(ALL)
    expect(await purser.exited()).toBe(2)
    expect(purser.told.join('\n')).toMatch(said)
  })

  test('ends with 1 and names the first line that does not fit', async () => {
    const lines = exportOf(ENTRIES)
    await file('export.ndjson', lines.toSpliced(11, 1).join('\n'))
    const purser = await startPurser(['verify', ...inFolder(ALL)])
    expect(await purser.exited()).toBe(1)
    expect(purser.lines).toEqual([])
    expect(purser.told).toContain('purser: Line 12: leaf 10 is missing: leaf 11 is in its place.')
  })

  test('ends with 1 where the log was put back behind a head that was kept', async () => {
    await file('head', headOf(ENTRIES))
    await file('export.ndjson', exportOf(ENTRIES.slice(0, 20)).join('\n'))
    const purser = await verify([...ALL, '--head', 'head'])
    expect(await purser.exited()).toBe(1)
    expect(purser.told.join('\n')).toMatch(/^purser: After line 22: .* had 30 when .* rolled back/m)
  })

  test.each([
    ['no key', ['export.ndjson'], /required option '--key/],
    ['no export', ['--key', 'log.vkey'], /missing required argument/],
    ['an export that is not there', ['nowhere', '--key', 'log.vkey'], NOT_THERE],
    ['a folder', ['folder', '--key', 'log.vkey'], A_FOLDER],
    ['a key that is not there', ['export.ndjson', '--key', 'nowhere'], NOT_THERE],
    ['a folder instead of a key', ['export.ndjson', '--key', 'folder'], A_FOLDER],
    ['a head that is not there', [...ALL, '--head', 'nowhere'], NOT_THERE],
    ['receipts that are not there', [...ALL, '--receipts', 'nowhere'], NOT_THERE],
    ['a folder instead of receipts', [...ALL, '--receipts', 'folder'], A_FOLDER],
    ['a file that has no receipt', [...ALL, '--receipts', 'empty'], /empty contains no receipt/],
    [
      'a key that is none',
      ['export.ndjson', '--key', 'export.ndjson'],
      /line 1 is not a public key/,
    ],
    ['no key in the file', ['export.ndjson', '--key', 'empty'], /contains no public key/],
    ['a head that is none', [...ALL, '--head', 'log.vkey'], /is not a signed checkpoint/],
    ['a head of others', [...ALL, '--head', 'foreign'], /not signed by any of the keys/],
    [
      'two receipts in a line',
      [...ALL, '--receipts', 'joined'],
      /line 1 has several objects: each line/,
    ],
    ['a head that was changed', [...ALL, '--head', 'changed'], /has an invalid signature/],
    ['receipts that are none', [...ALL, '--receipts', 'log.vkey'], /line 1 is not a receipt/],
  ])('ends with 2 with %s, because nothing was verified', async (_, args, said) => {
    await mkdir(join(folder.path, 'folder'))
    await file('empty', '')
    await file('joined', ENTRIES.map((entry) => receiptOf(entry)).join(''))
    await file('changed', headOf(ENTRIES).replace('\n30\n', '\n31\n'))
    await file('foreign', headOf(ENTRIES, someSigner(2)))
    const purser = await verify(args)
    expect(await purser.exited()).toBe(2)
    expect(purser.told.join('\n')).toMatch(said)
  })

  async function file(name: string, content: string | Buffer): Promise<void> {
    await writeFile(join(folder.path, name), content)
  }

  function verify(args: readonly string[]): Promise<Ended> {
    return callPurser(['verify', ...inFolder(args)])
  }

  /** Names of files stand for those of the folder. */
  function inFolder(args: readonly string[]): string[] {
    const isOption = (arg: string): boolean => arg.startsWith('--')
    return args.map((arg) => (isOption(arg) ? arg : join(folder.path, arg)))
  }
})
