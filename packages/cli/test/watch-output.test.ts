import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { buildPrograms } from '../../server/test/support/built-programs.ts'

async function start(stdout: 'pipe' | number) {
  const { cli } = await buildPrograms()
  const args = [cli, 'completion', 'bash']
  const child = spawn(process.execPath, args, { stdio: ['ignore', stdout, 'pipe'] })
  const ended = Promise.all([once(child, 'close'), text(child.stderr as Readable)])
  return { child, ended: ended.then(([[code], told]) => ({ code, told })) }
}

test('a reader that closes the pipe changes neither the exit code nor standard error', async () => {
  const { child, ended } = await start('pipe')
  child.stdout?.destroy()
  expect(await ended).toEqual({ code: 0, told: '' })
})

test.runIf(process.platform === 'linux')(
  'an output that cannot be written is one line on standard error, and a failure',
  async () => {
    const full = await open('/dev/full', 'w')
    const { ended } = await start(full.fd)
    const { code, told } = await ended
    await full.close()
    expect(code).toBe(1)
    expect(told).toMatch(/^purser: The output is not complete: .*\n$/)
  },
)
