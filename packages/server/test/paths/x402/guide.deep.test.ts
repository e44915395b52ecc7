import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Child, startChild } from '../../support/child-process.ts'
import { createTemporaryFolder } from '../../support/database.ts'
import { spawnOnLeash } from '../../support/leash.ts'
import { runSteps, stepsOf, surprises, unlike } from '../../support/shell-blocks.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { describeOnChain } from '../../support/x402/describe-on-chain.ts'

const ROOT = new URL('../../../../../', import.meta.url)

/** Processes that were started with this in their environment, and are not zombies. */
async function processesWith(mark: string): Promise<string[]> {
  const isAlive = async (pid: string): Promise<boolean> => {
    const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')
    return environment.includes(mark)
  }
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const alive = await Promise.all(pids.map(isAlive))
  return pids.filter((_, index) => alive[index])
}

const isLinux = process.platform === 'linux'
/** A chain, a gateway with a new database and three purchases, on a machine that may be busy. */
const START_WITHIN_MS = 30 * 60_000

describeOnChain('the example, started by npm', () => {
  test.runIf(isLinux)('ends with everything that it started when npm is asked to', async () => {
    const mark = `EXAMPLE_MARK=${randomUUID()}`
    const [name = '', value = ''] = mark.split('=')
    const child = spawnOnLeash('npm', ['run', 'example:x402', '--', '--stay'], {
      cwd: fileURLToPath(ROOT),
      env: { ...process.env, [name]: value },
    })
    const exited = once(child, 'exit')
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
    child.stderr.resume()
    await waitUntil(() => output.includes('id_of()'), START_WITHIN_MS)
    expect(await processesWith(mark)).not.toEqual([])
    child.kill('SIGTERM')
    await exited
    await waitUntil(async () => (await processesWith(mark)).length === 0)
  })
})

describeOnChain('the example that stays', () => {
  let example: Child
  let folder: Awaited<ReturnType<typeof createTemporaryFolder>>

  beforeAll(async () => {
    folder = await createTemporaryFolder()
    example = startChild(new URL('examples/x402/run.ts', ROOT), ['--stay'])
    await example.waitForLine((line) => line.startsWith('id_of()'))
  })
  afterAll(async () => {
    await example.kill()
    await folder.remove()
  })

  test('buys within its budget, and is told why not beyond it', () => {
    expect(example.lines).toEqual(
      expect.arrayContaining([
        '  {"sky":"clear","celsius":21}',
        '  {"monday":"rain","tuesday":"sun"}',
        expect.stringMatching(/Not paid: The spend of 0\.3 USD exceeds the 0\.195 USD left/),
      ]),
    )
  })

  test('answers the commands of the guide as the guide shows', async () => {
    const steps = stepsOf(new URL('docs/guide-x402.md', ROOT))
    const pasted = example.lines.slice(example.lines.findIndex((line) => /^export KEY=/.test(line)))
    const all = await runSteps(steps, { folder: folder.path, prelude: pasted.join('\n') })
    for (const [index, { commands, samples }] of steps.entries()) {
      const answers = all[index] ?? []
      const said = `${commands}\nwas answered:\n${JSON.stringify(answers, null, 1)}`
      expect(unlike(samples, answers), said).toEqual([])
      expect(surprises(samples, answers), commands).toEqual([])
      expect(answers.length > 0 && samples.length === 0, commands).toBe(false)
    }
  })

  test('ends with everything that it started when it is asked to', async () => {
    process.kill(example.pid, 'SIGTERM')
    expect(await example.waitForExit()).toMatchObject({ code: 0 })
  })
})
