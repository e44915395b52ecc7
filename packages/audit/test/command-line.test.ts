import { describe, expect, test } from 'vitest'
import { readCommandLine } from '../src/node/command-line.ts'

describe('the arguments of verify', () => {
  test('name the export and the files that it is compared with, in any order', () => {
    const files = { key: 'log.vkey', heads: ['a', 'b'], receipts: 'r' }
    for (const args of [
      ['e', '--key', 'log.vkey', '--head', 'a', '--head', 'b', '--receipts', 'r'],
      ['--head=a', '--receipts=r', '--key=log.vkey', 'e', '--head', 'b'],
    ]) {
      expect(readCommandLine(args)).toEqual({ kind: 'verify', file: 'e', files, isJson: false })
    }
  })

  test('may name standard input, and files that begin with a hyphen', () => {
    const files = { key: '-k', heads: [], receipts: undefined }
    const command = { kind: 'verify', file: '-', files, isJson: false }
    expect(readCommandLine(['-', '--key', '-k'])).toEqual(command)
    const asJson = readCommandLine(['-', '--json', '--key', '-k'])
    expect(asJson).toEqual({ ...command, isJson: true })
    expect(readCommandLine(['--key=-k', '--', '--e'])).toMatchObject({ file: '--e' })
  })

  test('ask for help wherever it stands', () => {
    expect(readCommandLine(['--help'])).toEqual({ kind: 'help' })
    expect(readCommandLine(['export', '-h'])).toEqual({ kind: 'help' })
  })

  test('may not name more heads than are held in memory', () => {
    const heads = (count: number): string[] => Array.from({ length: count }, () => '--head=h')
    expect(readCommandLine(['e', '--key=k', ...heads(1_000)])).toMatchObject({ kind: 'verify' })
    expect(readCommandLine(['e', '--key=k', ...heads(1_001)])).toMatchObject({ kind: 'mistake' })
  })
})
