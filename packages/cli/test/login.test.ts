import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createTestApp, type Owner, type TestApp } from '../../server/test/support/app.ts'
import { createTemporaryFolder } from '../../server/test/support/database.ts'
import { callPurser } from './support/in-process.ts'
import { killPursers, startPurser } from './support/purser.ts'

let app: TestApp
let acme: Owner
let url: string
let folder: Awaited<ReturnType<typeof createTemporaryFolder>>
let env: Readonly<Record<string, string>>
let file: string

beforeAll(async () => {
  app = await createTestApp()
  acme = await app.organization()
  url = await app.app.listen({ host: '127.0.0.1', port: 0 })
  folder = await createTemporaryFolder()
  env = { XDG_CONFIG_HOME: folder.path }
  file = join(folder.path, 'purser', 'profiles.json')
})
afterEach(() => killPursers())
afterAll(async () => {
  await folder.remove()
  await app.stop()
})

async function run(args: readonly string[], stdin = '', more = {}) {
  const purser = await callPurser(args, { ...env, ...more }, { stdin })
  const [out, told] = [purser.lines.join('\n'), purser.told.join('\n')]
  return { code: await purser.exited(), out, told }
}

const login = (profile: string, key = acme.apiKey) =>
  run(['login', '--url', url, '--profile', profile], `${key}\n`)

test('purser login stores a key that only the user can read, and commands use it', async () => {
  const stored = await login('default')
  expect(stored).toMatchObject({ code: 0, out: '' })
  expect(stored.told).not.toContain(acme.apiKey)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect((await stat(join(folder.path, 'purser'))).mode & 0o777).toBe(0o700)
  const listed = await startPurser(['approvals', 'list', '--json'], env)
  expect(await listed.exited()).toBe(0)
  expect(JSON.parse(listed.lines.join())).toMatchObject({ data: [] })
})

test('purser login keeps other profiles, and --profile chooses one', async () => {
  await login('default')
  expect((await login('staging')).code).toBe(0)
  expect(Object.keys(JSON.parse(await readFile(file, 'utf8')).profiles)).toEqual([
    'default',
    'staging',
  ])
  const none = await run(['approvals', 'list', '--profile', 'missing'])
  expect(none).toMatchObject({ code: 2, out: '' })
  expect(none.told).toContain('there is no profile "missing"')
  expect((await run(['logout', '--profile', 'staging'])).code).toBe(0)
  expect((await run(['logout', '--profile', 'staging'])).code).toBe(1)
})

test('purser login stores no key that the gateway refuses, and repeats none', async () => {
  const wrong = `${acme.apiKey.slice(0, -1)}${acme.apiKey.endsWith('x') ? 'y' : 'x'}`
  const refused = await login('wrong', wrong)
  expect(refused).toMatchObject({ code: 1, out: '' })
  expect(refused.told).not.toContain(wrong)
  expect((await run(['approvals', 'list', '--profile', 'wrong'])).code).toBe(2)
  expect((await login('empty', '')).code).toBe(2)
})

test('purser login and logout --json print the profile, and a refused key is a problem', async () => {
  const at = ['--url', url, '--profile', 'machine', '--json']
  const stored = await run(['login', ...at], `${acme.apiKey}\n`)
  expect(stored).toMatchObject({ code: 0, told: '' })
  expect(JSON.parse(stored.out)).toMatchObject({
    profile: 'machine',
    baseUrl: url,
    organization: { id: expect.stringMatching(/^org_/), name: expect.any(String) },
  })
  expect(stored.out).not.toContain(acme.apiKey)
  const removed = await run(['logout', '--profile', 'machine', '--json'])
  expect([removed.code, JSON.parse(removed.out)]).toEqual([0, { profile: 'machine' }])
  const refused = await run(['login', ...at], 'psr_test_wrong\n')
  expect(refused).toMatchObject({ code: 1, out: '' })
  expect(JSON.parse(refused.told)).toMatchObject({ status: 401, code: 'unauthenticated' })
})

test('purser login takes no key as an argument', async () => {
  const refused = await run(['login', '--api-key', acme.apiKey])
  expect(refused).toMatchObject({ code: 2 })
})

test('the key of a profile goes to no other gateway', async () => {
  await login('default')
  for (const [args, more] of [
    [['--url', 'http://127.0.0.1:2'], {}],
    [[], { PURSER_BASE_URL: 'http://127.0.0.1:2' }],
  ] as const) {
    const refused = await run(['approvals', 'list', ...args], '', more)
    expect(refused).toMatchObject({ code: 2, out: '' })
    expect(refused.told).toContain(`is for ${url}, not for http://127.0.0.1:2`)
  }
})

test('PURSER_API_KEY goes before the default profile, and a named profile before both', async () => {
  await login('default')
  const both = { PURSER_API_KEY: 'psr_test_wrong', PURSER_BASE_URL: url }
  expect((await run(['approvals', 'list'], '', both)).code).toBe(1)
  expect((await run(['approvals', 'list', '--profile', 'default'], '', both)).code).toBe(0)
})

test('a file of profiles that others can read is refused', async () => {
  const shared = join(folder.path, 'shared')
  await mkdir(join(shared, 'purser'), { recursive: true })
  const open = join(shared, 'purser', 'profiles.json')
  await writeFile(open, JSON.stringify({ profiles: { default: { baseUrl: url, apiKey: 'x' } } }))
  await chmod(open, 0o644)
  const refused = await run(['approvals', 'list'], '', { XDG_CONFIG_HOME: shared })
  expect(refused).toMatchObject({ code: 1, out: '' })
  expect(refused.told).toContain('chmod 600')
})

test('a mistyped command or option gets a suggestion', async () => {
  expect((await run(['aprovals'])).told).toContain('Did you mean approvals?')
  expect((await run(['approvals', 'list', '--jsn'])).told).toContain('Did you mean --json?')
})
