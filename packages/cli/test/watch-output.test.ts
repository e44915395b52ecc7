import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { buildPrograms } from '../../server/test/support/built-programs.ts'
import { type LeashedProcess, spawnOnLeash } from '../../server/test/support/leash.ts'

async function endOf(child: LeashedProcess) {
  const [[code], told] = await Promise.all([once(child, 'close'), text(child.stderr)])
  return { code, told }
}

test('a reader that closes the pipe changes neither the exit code nor standard error', async () => {
  const { cli } = await buildPrograms()
  const child = spawnOnLeash(process.execPath, [cli, 'completion', 'bash'])
  child.stdout.destroy()
  expect(await endOf(child)).toEqual({ code: 0, told: '' })
})

test.runIf(process.platform === 'linux')(
  'an output that cannot be written is one line on standard error, and a failure',
  async () => {
    const { cli } = await buildPrograms()
    const script = 'exec "$0" "$1" completion bash > /dev/full'
    const { code, told } = await endOf(
      spawnOnLeash('/bin/sh', ['-c', script, process.execPath, cli]),
    )
    expect(code).toBe(1)
    expect(told).toMatch(/^purser: The output is not complete: .*\n$/)
  },
)
