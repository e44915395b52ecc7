import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createTemporaryFolder } from '../../server/test/support/database.ts'
import { waitUntil } from '../../server/test/support/wait-until.ts'
import { killPursers, startPurser } from './support/purser.ts'

const MINUTES_MS = 60_000

let folder: Awaited<ReturnType<typeof createTemporaryFolder>>
beforeAll(async () => {
  folder = await createTemporaryFolder()
})
afterEach(() => killPursers())
afterAll(() => folder.remove())

/** Starts the demo, and waits for its output. */
async function start(...more: readonly string[]) {
  const args = ['--data-dir', join(folder.path, 'demo'), '--port', '0', '--still']
  const demo = await startPurser(['demo', ...args, ...more])
  await waitUntil(() => demo.lines.length > 0, 10 * MINUTES_MS)
  return demo
}

test(
  'purser demo prints a link as JSON, serves, goes on later, and stops on Ctrl-C',
  async () => {
    const first = await start('--json')
    const printed = JSON.parse(first.lines.join('\n'))
    expect(printed).toEqual({
      url: expect.stringMatching(/^http:\/\/localhost:\d+$/),
      signInUrl: expect.stringContaining(printed.url),
      owner: expect.objectContaining({ email: expect.any(String), password: expect.any(String) }),
      isContinued: false,
      folder: expect.stringContaining(folder.path),
    })
    const ready = await fetch(`${printed.url.replace('localhost', '127.0.0.1')}/readyz`)
    expect(ready.status).toBe(200)
    expect(await first.interrupt()).toBe(0)

    const second = await start()
    await waitUntil(() => second.lines.some((line) => line.includes('Ctrl-C')))
    expect(second.lines[0]).toMatch(/^The demo in .* goes on\.$/)
    expect(second.lines.join('\n')).toContain('Open this link to sign in; it works once:')
    expect(await second.interrupt()).toBe(0)
  },
  15 * MINUTES_MS,
)
