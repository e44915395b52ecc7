import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildPrograms } from './support/built-programs.ts'
import { spawnOnLeash } from './support/leash.ts'
import { createProgramPlace } from './support/program.ts'

/** Starts the gateway, prints which files of packages it has loaded, and stops it. */
const PROGRAM = `
  import { createRequire } from 'node:module'
  const { runGateway } = await import(process.argv[1])
  await runGateway(process.env)
  console.log('loaded ' + JSON.stringify(Object.keys(createRequire(process.argv[1]).cache)))
  process.kill(process.pid, 'SIGTERM')`

const UNWANTED = [
  '@fastify/swagger',
  'yaml',
  '@fastify/ajv-compiler',
  '@fastify/fast-json-stringify-compiler',
  'light-my-request',
]

/** Prints the address of each module that the process imports. */
const HOOKS = `import { writeSync } from 'node:fs'
export async function load(url, context, next) {
  writeSync(2, 'loads ' + url + '\\n')
  return next(url, context)
}`
const REGISTER = `import { register } from 'node:module'
register("data:text/javascript,${encodeURIComponent(HOOKS)}")`
const PRINT_LOADS = `--import=data:text/javascript,${encodeURIComponent(REGISTER)}`

let place: Awaited<ReturnType<typeof createProgramPlace>>
beforeAll(async () => {
  place = await createProgramPlace()
})
afterAll(() => place.remove())

test('a start loads no module that only builds the OpenAPI document, and no unused compiler', async () => {
  const { gateway } = await buildPrograms()
  const parameters = ['--input-type=module', '-e', PROGRAM, join(gateway, '../index.js')]
  const env = { PURSER_PORT: '0', PURSER_DRAIN_SECONDS: '0', ...place.env }
  const child = spawnOnLeash(process.execPath, parameters, { env })
  child.stderr.resume()
  let output = ''
  for await (const text of child.stdout.setEncoding('utf8')) output += text
  const loaded: string[] = JSON.parse(/^loaded (.*)$/m.exec(output)?.[1] ?? '[]')
  const packages = loaded.map((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1])
  expect(packages).toContain('fastify')
  expect(UNWANTED.filter((name) => packages.includes(name))).toEqual([])
})

test('a start loads nothing of MCP', async () => {
  const { gateway } = await buildPrograms()
  const parameters = [
    PRINT_LOADS,
    '--input-type=module',
    '-e',
    PROGRAM,
    join(gateway, '../index.js'),
  ]
  const env = { PURSER_PORT: '0', PURSER_DRAIN_SECONDS: '0', ...place.env }
  const child = spawnOnLeash(process.execPath, parameters, { env })
  child.stdout.resume()
  let told = ''
  for await (const text of child.stderr.setEncoding('utf8')) told += text
  const files = told.match(/(?<=^loads file:).*$/gm) ?? []
  expect(files).toContainEqual(expect.stringContaining('/server/dist/index.js'))
  expect(files.filter((file) => /\/mcp\/|modelcontextprotocol/.test(file))).toEqual([])
})
