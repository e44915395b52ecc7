import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { listBuiltFiles } from '../../src/console/built-files.ts'
import { readConfig } from '../../src/process/config.ts'
import { createTestApp } from '../support/app.ts'
import {
  BROWSER,
  PAGE,
  SCRIPT,
  SCRIPT_PATH,
  type ServedConsole,
  startConsole,
  writeConsole,
} from './built-console.ts'

describe('a link that was handed out before', () => {
  let served: ServedConsole
  beforeAll(async () => {
    served = await startConsole()
  })
  afterAll(() => served.stop())

  test.each([
    ['/console/approvals/apr_1', '/approvals/apr_1'],
    ['/console/approvals/apr_1?from=mail', '/approvals/apr_1?from=mail'],
    ['/console/approvals/a%2fb', '/approvals/a%2fb'],
    ['/console/accept', '/accept'],
    ['/console/accept/', '/accept'],
  ])('%s leads to %s', async (path, location) => {
    for (const method of ['GET', 'HEAD']) {
      const { status, headers, text } = await served.send(path, BROWSER, method)
      expect([status, headers['location'], text]).toEqual([308, location, ''])
      expect(headers['cache-control']).toBe('no-store')
    }
  })

  test.each(['/console/approvals', '/console/approvals//', '/console/approvals//evil.example'])(
    'leads nowhere without an id: %s',
    async (path) => {
      const { status, headers } = await served.send(path, BROWSER)
      expect([status, headers['location']]).toEqual([404, undefined])
    },
  )
})

describe('a file of the console that could not be read', () => {
  test.each([
    ['because of an error', (path: string) => mkdir(path)],
    ['because it was missing', async () => {}],
  ])('%s is read again by the next request', async (_, spoil) => {
    const { folder, remove } = await writeConsole()
    onTestFinished(remove)
    const files = await listBuiltFiles(folder)
    const name = SCRIPT_PATH.slice(1)
    const path = join(folder, name)
    await rm(path)
    await spoil(path)
    await files?.read(name, undefined).catch(() => undefined)
    await rm(path, { recursive: true, force: true })
    await writeFile(path, SCRIPT)
    expect((await files?.read(name, undefined))?.content.toString()).toBe(SCRIPT)
  })
})

describe('a gateway', () => {
  test('serves no console if the setting says so', async () => {
    expect(readConfig({ PURSER_CONSOLE: 'off' }).consoleFolder).toBeUndefined()
    expect(readConfig({}).consoleFolder).toMatch(/packages[\\/]server[\\/]console$/)
    expect(() => readConfig({ PURSER_CONSOLE: 'no' })).toThrow(
      'PURSER_CONSOLE must be one of on, off.',
    )
    const served = await startConsole({ consoleFolder: undefined })
    onTestFinished(served.stop)
    for (const path of ['/', '/agents', SCRIPT_PATH, '/console/accept']) {
      const { status, text } = await served.send(path, BROWSER)
      expect([status, JSON.parse(text).code]).toEqual([404, 'route_not_found'])
    }
  })

  test('without the built files starts, and says in its log how to build them', async () => {
    const { folder, remove } = await writeConsole()
    onTestFinished(remove)
    await rm(join(folder, 'index.html'))
    for (const missing of [folder, join(folder, 'nowhere')]) {
      const lines: string[] = []
      const log = pino({}, { write: (line: string) => void lines.push(line) })
      const app = await createTestApp(undefined, { consoleFolder: missing }, log)
      onTestFinished(app.stop)
      const { statusCode, body } = await app.app.inject({ url: '/', headers: BROWSER })
      expect([statusCode, JSON.parse(body).code]).toEqual([404, 'route_not_found'])
      const told = lines.map((line) => JSON.parse(line)).filter((line) => 'folder' in line)
      expect(told).toEqual([
        expect.objectContaining({
          event: 'process.console_missing',
          folder: missing,
          msg: expect.stringContaining('npm run build'),
        }),
      ])
    }
  })

  test('keeps the files that it has sent in memory, and misses those removed before', async () => {
    const served = await startConsole()
    onTestFinished(served.stop)
    expect((await served.send('/', BROWSER)).text).toBe(PAGE)
    await writeFile(join(served.folder, 'index.html'), 'a later build')
    await rm(join(served.folder, SCRIPT_PATH))
    expect((await served.send('/agents', BROWSER)).text).toBe(PAGE)
    const { status, headers } = await served.send(SCRIPT_PATH, BROWSER)
    expect([status, headers['cache-control']]).toEqual([404, 'no-store'])
    const compressed = await served.send(SCRIPT_PATH, { 'accept-encoding': 'gzip' })
    expect([compressed.status, compressed.text === SCRIPT]).toEqual([200, false])
  })
})
