import { once } from 'node:events'
import { cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { RULES } from '../../src/core/rules/kinds/index.ts'
import { createTestApp, type TestApp } from '../support/app.ts'
import { createTemporaryFolder } from '../support/database.ts'
import { spawnOnLeash } from '../support/leash.ts'

/*
 * Two generators write a client from the document, each with the TypeScript 5 that it needs in a
 * folder of its own, because ours is newer. The clients send every kind of rule to a gateway.
 */

const CLIENTS = join(import.meta.dirname, 'clients')
const SHARED = ['tsconfig.json', 'story.ts', 'every-rule.ts']
const TSX = import.meta.resolve('tsx')

/** Where each generator's commands are, and what makes it write a client. */
const GENERATORS = {
  'openapi-typescript': ['openapi-typescript', 'openapi.json', '--output', 'generated.ts'],
  'hey-api': ['openapi-ts', '--input', 'openapi.json', '--output', 'generated'],
}

let app: TestApp
let url: string

beforeAll(async () => {
  app = await createTestApp()
  url = await app.app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => app.stop())

const cases = Object.entries(GENERATORS)
test.each(cases)('a client of %s compiles, and sends every kind of rule', async (name, command) => {
  const folder = await createTemporaryFolder()
  onTestFinished(folder.remove)
  await cp(join(CLIENTS, name), folder.path, { recursive: true })
  for (const file of SHARED) await cp(join(CLIENTS, file), join(folder.path, file))
  const document = await fetch(`${url}/openapi.json`)
  await writeFile(join(folder.path, 'openapi.json'), await document.text())

  const run = (program: string, ...parameters: string[]): Promise<string> =>
    runIn(folder.path, program, parameters)
  await run('npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund')
  await run('npx', '--no', '--', ...command)
  await run('npx', '--no', '--', 'tsc')
  const { apiKey } = await app.organization()
  const env = { PURSER_URL: url, PURSER_KEY: apiKey }
  const told = await runIn(folder.path, process.execPath, ['--import', TSX, 'use-client.ts'], env)

  const { stored, ...rest } = JSON.parse(told)
  expect(Object.keys(Object.fromEntries(stored))).toEqual(RULES.map(({ type }) => type))
  expect(Object.fromEntries(stored)).toMatchObject({ amount: 50, approval: 25, limit: 100 })
  expect(rest).toEqual({
    status: 'active',
    decision: 'rejected',
    limit: 50,
    next: 50,
    events: [['amount_above_max']],
    problem: 'no such agent',
  })
})

/** Runs a program to its end and gives back what it printed; fails with what it said. */
async function runIn(
  cwd: string,
  program: string,
  parameters: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const child = spawnOnLeash(program, parameters, { cwd, env: { ...process.env, ...env } })
  const closed = once(child, 'close')
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  const [code] = await closed
  expect(code, `${program} ${parameters.join(' ')}\n${output}\n${errors}`).toBe(0)
  return output
}
