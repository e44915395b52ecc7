import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createTemporaryFolder } from '../../server/test/support/database.ts'
import { shareGateway } from './support/gateway.ts'
import { killPursers, startPurser } from './support/purser.ts'

const gateway = shareGateway()
let folder: Awaited<ReturnType<typeof createTemporaryFolder>>
beforeAll(async () => {
  folder = await createTemporaryFolder()
})
afterEach(() => killPursers())
afterAll(() => folder.remove())

/** Tells which files and modules of Node the process has loaded, and whether V8 refused its code. */
const TELL_LOADS = `
const vm = require('node:vm')
const refusals = []
vm.Script = class extends vm.Script {
  constructor(...args) {
    super(...args)
    refusals.push(this.cachedDataRejected)
  }
}
process.once('exit', () => {
  const files = Object.keys(require.cache).filter((file) => file !== __filename)
  const modules = process.moduleLoadList.map((name) => name.replace('NativeModule ', ''))
  console.error('loads ' + JSON.stringify({ files, modules, refusals }))
})`

/** What a call over http does without. The server would load most of these. */
const UNWANTED = ['https', 'tls', 'crypto', 'child_process', 'worker_threads', 'fs/promises']

/** A gateway that never answers, and no timer that waits for it. */
const WAIT_FOR_NOTHING = `
const { EventEmitter } = require('node:events')
require('node:http').request = () => Object.assign(new EventEmitter(), { end() {} })
const { setTimeout } = globalThis
globalThis.setTimeout = (...args) => setTimeout(...args).unref()`

/** Returns the environment of a command that runs this program first. */
async function envWith(program: string): Promise<Readonly<Record<string, string>>> {
  const file = join(folder.path, 'first.cjs')
  await writeFile(file, program)
  return { ...gateway.env(), NODE_OPTIONS: `--require "${file}"` }
}

test('a command that calls a gateway loads one file, which the build has compiled', async () => {
  const command = await startPurser(['agents', 'list', '--json'], await envWith(TELL_LOADS))
  expect(await command.exited()).toBe(0)
  expect(JSON.parse(command.lines.join())).toMatchObject({ data: [] })
  const [told = ''] = command.told.filter((line) => line.startsWith('loads '))
  const { files, modules, refusals } = JSON.parse(told.slice('loads '.length))
  expect(files).toEqual([expect.stringMatching(/\/cli\/bin\/purser\.js$/)])
  expect(refusals).toEqual([false])
  expect(modules).toContain('http')
  expect(modules.filter((name: string) => UNWANTED.includes(name))).toEqual([])
})

test('a command that has not ended when nothing is left to do has failed', async () => {
  const command = await startPurser(['agents', 'list'], await envWith(WAIT_FOR_NOTHING))
  expect(await command.exited()).toBe(1)
  expect(command.lines).toEqual([])
})
