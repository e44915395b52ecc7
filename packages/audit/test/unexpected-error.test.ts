import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTemporaryFolder } from '../../server/test/support/database.ts'
import { exportOf, keyText, someEntries, someSigner } from './verify/some-log.ts'

const PROGRAM = resolve(import.meta.dirname, '../src/node/main.ts')
/** A preloaded module. It breaks a function that no code of the program expects to throw. */
const BROKEN = `globalThis.btoa = () => { throw new RangeError('out of\\nmemory') }`

describe('an unexpected error of purser-audit ends with exit code 2 and one line', () => {
  let folder: Awaited<ReturnType<typeof createTemporaryFolder>>

  beforeAll(async () => {
    folder = await createTemporaryFolder()
    await writeFile(join(folder.path, 'log.vkey'), keyText(someSigner()))
  })
  afterAll(() => folder.remove())

  test('when a function throws', async () => {
    const program = startVerify('--import', `data:text/javascript,${encodeURIComponent(BROKEN)}`)
    program.stdin.end()
    const [told, [code]] = await Promise.all([text(program.stderr), once(program, 'close')])
    expect({ code, told }).toEqual({ code: 2, told: 'purser-audit: RangeError: out of\n' })
  })

  test('when the reader of the result has gone', async () => {
    const program = startVerify()
    program.stdout.destroy()
    await once(program.stdout, 'close')
    program.stdin.end(exportOf(someEntries(3)).join('\n'))
    const [told, [code]] = await Promise.all([text(program.stderr), once(program, 'close')])
    expect({ code, told }).toEqual({ code: 2, told: 'purser-audit: Error: write EPIPE\n' })
  })

  /** Starts the program, which verifies its standard input. */
  function startVerify(...options: readonly string[]) {
    const args = ['verify', '-', '--key', join(folder.path, 'log.vkey')]
    return spawn(process.execPath, ['--import', 'tsx', ...options, PROGRAM, ...args])
  }
})
