import { afterEach, expect, test } from 'vitest'
import { shareGateway } from './support/gateway.ts'
import { killPursers, startPurser } from './support/purser.ts'

const gateway = shareGateway()
afterEach(() => killPursers())

/** Prints the address of each module that the process loads. */
const HOOKS = `import { writeSync } from 'node:fs'
export async function load(url, context, next) {
  writeSync(2, 'loads ' + url + '\\n')
  return next(url, context)
}`
const REGISTER = `import { register } from 'node:module'
register("data:text/javascript,${encodeURIComponent(HOOKS)}")`
const PRINT_LOADS = `--import=data:text/javascript,${encodeURIComponent(REGISTER)}`

test('a command that calls a gateway loads only its own modules, and never the server', async () => {
  const env = { ...gateway.env(), NODE_OPTIONS: PRINT_LOADS }
  const command = await startPurser(['agents', 'list'], env)
  expect(await command.exited()).toBe(0)
  const files = command.told.flatMap((line) => /^loads file:(.*)$/.exec(line)?.slice(1) ?? [])
  const names = files.flatMap((file) => /\/cli\/dist\/([^/]+)\.js$/.exec(file)?.slice(1) ?? [])
  // It needs no other package. Most names have a hash of the content.
  expect(names).toHaveLength(files.length)
  const parts = names.map((name) => name.replace(/-[0-9A-Z]{8}$/, ''))
  const own = ['main', 'commander', 'agents', 'create-client']
  expect(parts.filter((name) => name !== 'chunk').sort()).toEqual(own.sort())
  // Since Node 22, an import of this module takes 50 ms (node-http.ts).
  expect(command.told).not.toContain('loads node:http')
  // Each file costs time at every start, so a longer list needs a reason.
  expect(files.length).toBeLessThan(25)
})
