import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startChild } from './child-process.ts'
import { waitUntil } from './wait-until.ts'

const PARENT = new URL('start-and-wait.ts', import.meta.url)
const PACKAGES = resolve(import.meta.dirname, '../../..')

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  // A process that has ended is listed until its parent reads its exit code.
  const stat = `/proc/${pid}/stat`
  return !existsSync(stat) || !/\) Z /.test(readFileSync(stat, 'utf8'))
}

describe('a process that a test starts', () => {
  test.each(['busy', 'frozen'])(
    'ends with the process that started it, also when that is killed and it is %s',
    async (state) => {
      const parent = startChild(PARENT, [state])
      const pid = Number(await parent.waitForLine((line) => /^\d+$/.test(line)))
      expect(isRunning(pid)).toBe(true)
      await parent.kill()
      await waitUntil(() => !isRunning(pid))
    },
  )

  test('is always started on a leash', () => {
    const files = readdirSync(PACKAGES, { recursive: true, encoding: 'utf8' })
    const tests = files.filter((file) => /^[^/]+\/test\/.*\.ts$/.test(file))
    const starters = tests.filter((file) =>
      /^import .*\b(spawn|fork|exec)\b.* from 'node:child_process'/m.test(
        readFileSync(join(PACKAGES, file), 'utf8'),
      ),
    )
    expect(starters).toEqual(['server/test/support/leash.ts'])
  })
})
