import { statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { askGateway } from '../../../src/process/control/ask-control.ts'
import { type Control, serveControl } from '../../../src/process/control/serve-control.ts'
import { createTemporaryFolder } from '../../support/database.ts'
import { waitUntil } from '../../support/wait-until.ts'

let folder: Awaited<ReturnType<typeof createTemporaryFolder>>
let control: Control | undefined
beforeEach(async () => {
  folder = await createTemporaryFolder()
})
afterEach(async () => {
  await control?.stop()
  control = undefined
  await folder.remove()
})

test('a command gets its result, and its resources until it closes the connection', async () => {
  let released = 0
  control = await serveControl(folder.path, {
    double: async ({ number }, onClosed) => {
      onClosed(async () => {
        released += 1
      })
      return { twice: Number(number) * 2 }
    },
  })
  expect(statSync(join(folder.path, 'control.sock')).mode & 0o777).toBe(0o600)
  const answered = await askGateway({ dataDir: folder.path }, { command: 'double', number: 21 })
  expect(answered?.result).toEqual({ twice: 42 })
  expect(released).toBe(0)
  answered?.close()
  await waitUntil(() => released === 1)
})

test('a refusal is the sentence of the gateway', async () => {
  control = await serveControl(folder.path, {
    copy: async () => {
      throw new Error('There is no room.')
    },
  })
  const ask = (command: string) => askGateway({ dataDir: folder.path }, { command })
  await expect(ask('copy')).rejects.toThrow('There is no room.')
  await expect(ask('toString')).rejects.toThrow('does not know the command "toString"')
})

test('without a gateway there is no answer, also after one has stopped or died', async () => {
  const ask = () => askGateway({ dataDir: folder.path }, { command: 'any' })
  expect(await ask()).toBeUndefined()
  control = await serveControl(folder.path, {})
  await control.stop()
  expect(await readdir(folder.path)).toEqual([])
  expect(await ask()).toBeUndefined()
  expect(
    await askGateway({ dataDir: join(folder.path, 'none') }, { command: 'any' }),
  ).toBeUndefined()
})

test('a folder with a long path has a socket too', async () => {
  const { mkdirSync } = await import('node:fs')
  const long = join(folder.path, 'd'.repeat(60), 'e'.repeat(60))
  mkdirSync(long, { recursive: true })
  control = await serveControl(long, { here: async () => ({ is: true }) })
  const answered = await askGateway({ dataDir: long }, { command: 'here' })
  expect(answered?.result).toEqual({ is: true })
  answered?.close()
})

test('a caller that sends no line, or a line without an end, is disconnected', async () => {
  control = await serveControl(folder.path, {})
  const socket = createConnection(join(folder.path, 'control.sock'))
  let isClosed = false
  socket.on('error', () => {})
  socket.on('close', () => {
    isClosed = true
  })
  socket.write('x'.repeat(70_000))
  await waitUntil(() => isClosed)
})
