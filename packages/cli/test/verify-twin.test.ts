import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  exportOf,
  headOf,
  keyText,
  someEntries,
  someSigner,
} from '../../audit/test/verify/some-log.ts'
import { createTemporaryFolder } from '../../server/test/support/database.ts'
import { killPursers, type Purser, startAudit, startPurser } from './support/purser.ts'

const ENTRIES = someEntries(12)

describe('purser verify and purser-audit verify', () => {
  let folder: Awaited<ReturnType<typeof createTemporaryFolder>>
  beforeAll(async () => {
    folder = await createTemporaryFolder()
    const lines = exportOf(ENTRIES)
    await write('log.vkey', keyText(someSigner()))
    await write('export.ndjson', lines.join('\n'))
    await write('tampered.ndjson', lines.toSpliced(5, 1).join('\n'))
    await write('head', headOf(ENTRIES))
  })
  afterAll(async () => {
    killPursers()
    await folder.remove()
  })

  test.each([
    ['an export that fits', 0, ['export.ndjson', '--key', 'log.vkey', '--head=head']],
    ['an export that was changed', 1, ['tampered.ndjson', '--key', 'log.vkey']],
    ['an export that fits, as JSON', 0, ['export.ndjson', '--key', 'log.vkey', '--json']],
    ['an export that was changed, as JSON', 1, ['tampered.ndjson', '--key', 'log.vkey', '--json']],
    ['an export that is not there, as JSON', 2, ['nowhere', '--key', 'log.vkey', '--json']],
    ['an export that is not there', 2, ['nowhere', '--key', 'log.vkey']],
    ['help', 0, ['--help']],
    ['no arguments', 2, []],
    ['no key', 2, ['export.ndjson']],
    ['no export', 2, ['--key', 'log.vkey']],
    ['an option without its file', 2, ['export.ndjson', '--key']],
    ['an unknown option', 2, ['export.ndjson', '--key', 'log.vkey', '--quietly']],
    ['two exports', 2, ['export.ndjson', 'export.ndjson', '--key', 'log.vkey']],
  ])('say the same about %s', async (_, code, args) => {
    const isFile = (arg: string): boolean => !arg.startsWith('--')
    const given = ['verify', ...args.map((arg) => (isFile(arg) ? join(folder.path, arg) : arg))]
    const named = given.map((arg) => arg.replace('--head=', `--head=${folder.path}/`))
    const [purser, audit] = await Promise.all([startPurser(named), startAudit(named)])
    expect(await audit.exited()).toBe(code)
    expect(await purser.exited()).toBe(code)
    expect(wordsOf(audit)).toEqual(wordsOf(purser))
  })

  function wordsOf({ lines, told }: Purser): string[] {
    return [...lines, ...told].map((line) => line.replaceAll('purser-audit', 'purser'))
  }

  async function write(name: string, content: string): Promise<void> {
    await writeFile(join(folder.path, name), content)
  }
})
