import { spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTemporaryFolder } from '../../server/test/support/database.ts'
import { exportOf, keyText, someEntries, someSigner } from './verify/some-log.ts'

const PROGRAM = resolve(import.meta.dirname, '../src/node/main.ts')
/** A preloaded module. It breaks a function that no code of the program expects to throw. */
const BROKEN = `globalThis.btoa = () => { throw new RangeError('out of\\nmemory') }`
/** Runs a command whose reader has gone before it writes, and ends with the command's exit code. */
const WITHOUT_READER = '"$@" | head -c 0; exit "$PIPESTATUS"'

describe('an unexpected error of purser-audit ends with exit code 2 and one line', () => {
  let folder: Awaited<ReturnType<typeof createTemporaryFolder>>

  beforeAll(async () => {
    folder = await createTemporaryFolder()
    await writeFile(join(folder.path, 'log.vkey'), keyText(someSigner()))
  })
  afterAll(() => folder.remove())

  test('when a function throws', () => {
    const preload = ['--import', `data:text/javascript,${encodeURIComponent(BROKEN)}`]
    const [command, ...args] = verifyCommand(...preload)
    const { status, stderr } = spawnSync(command, args, { input: '', encoding: 'utf8' })
    expect({ status, stderr }).toEqual({ status: 2, stderr: 'purser-audit: RangeError: out of\n' })
  })

  test('when the reader of the result has gone', () => {
    const { status, stderr } = spawnSync('bash', ['-c', WITHOUT_READER, '-', ...verifyCommand()], {
      input: exportOf(someEntries(3)).join('\n'),
      encoding: 'utf8',
    })
    expect({ status, stderr }).toEqual({ status: 2, stderr: 'purser-audit: Error: write EPIPE\n' })
  })

  /** The command line of the program, which verifies its standard input. */
  function verifyCommand(...options: readonly string[]): [string, ...string[]] {
    const args = ['verify', '-', '--key', join(folder.path, 'log.vkey')]
    return [process.execPath, '--import', 'tsx', ...options, PROGRAM, ...args]
  }
})
