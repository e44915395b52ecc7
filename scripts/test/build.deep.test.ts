import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')

let folder: string

/** The module loads a package, typebox, libraries, and a module on demand. */
const INDEX = `
import { pino } from 'pino'
import { Type } from 'typebox'
import { parseAbi } from './paths/x402/x402-libraries.ts'
console.log(typeof pino, Type.String().type, typeof parseAbi)
const { later } = await import('./inside/later.ts')
console.log(later)`

const CONSOLE_SETTINGS = `
import { resolve } from 'node:path'
const outDir = resolve(import.meta.dirname, '../server/console')
export default { root: import.meta.dirname, build: { outDir, emptyOutDir: true } }`

/** Creates a repository with the real script and settings, and packages of one line each. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'purser-build-'))
  for (const name of ['audit', 'server', 'cli'])
    await mkdir(join(folder, 'packages', name, 'src/inside'), { recursive: true })
  for (const name of ['people', 'paths/x402'])
    await mkdir(join(folder, 'packages/server/src', name), { recursive: true })
  await mkdir(join(folder, 'packages/server/migrations'))
  for (const name of ['console/src', 'console/vite', 'sdk/src', 'mcp/src'])
    await mkdir(join(folder, 'packages', name), { recursive: true })
  await mkdir(join(folder, 'packages/audit/src/node'))
  for (const path of [
    'scripts/build.mjs',
    'scripts/bundle.mjs',
    'scripts/bundle-audit.mjs',
    'scripts/bundle-cli.mjs',
    'scripts/bundle-libraries.mjs',
    'scripts/bundle-mcp.mjs',
    'scripts/bundle-sdk.mjs',
    'scripts/compile-cli.mjs',
    'scripts/licenses.mjs',
    'scripts/publish-types.mjs',
    'tsconfig.json',
    'package.json',
    'package-lock.json',
    'packages/audit/tsconfig.json',
    'packages/audit/tsconfig.library.json',
    'packages/audit/package.json',
    'packages/sdk/tsconfig.json',
    'packages/sdk/tsconfig.library.json',
    'packages/mcp/tsconfig.json',
    'packages/server/tsconfig.json',
    'packages/cli/tsconfig.json',
    'packages/cli/package.json',
    'packages/console/tsconfig.json',
  ]) {
    cpSync(join(ROOT, path), join(folder, path))
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  write('packages/console/vite.config.ts', CONSOLE_SETTINGS)
  write('packages/console/index.html', '<script type="module" src="/src/main.ts"></script>')
  write('packages/console/src/main.ts', 'document.title = "first"')
  write('packages/cli/src/main.ts', 'export const cli = 1')
  write(
    'packages/sdk/package.json',
    '{"type": "module", "exports": {".": {"@purser/source": "./src/index.ts"}}}',
  )
  for (const name of ['sdk/src/index', 'mcp/src/index', 'mcp/src/stdio', 'mcp/src/mcp-libraries'])
    write(`packages/${name}.ts`, 'export const one = 1')
  write('packages/server/src/people/passkey-libraries.ts', 'export const one = 1')
  write('packages/server/src/paths/x402/x402-libraries.ts', "export { parseAbi } from 'viem'")
  write('packages/server/src/main.ts', 'export const server = 1')
  write('packages/server/src/index.ts', INDEX)
  for (const name of ['index', 'command', 'node/crypto', 'node/verify', 'node/main']) {
    write(`packages/audit/src/${name}.ts`, 'export const audit = 1')
  }
  write('packages/server/src/inside/later.ts', 'export const later = 1')
  write(
    'packages/server/src/prepare.ts',
    "import { mkdirSync } from 'node:fs'\nmkdirSync('packages/server/prepared', { recursive: true })",
  )
  build()
})
beforeEach(build)
afterAll(() => rm(folder, { recursive: true, force: true }))

function build(): void {
  execFileSync(process.execPath, [join(folder, 'scripts/build.mjs'), 'server'])
}

function write(path: string, text: string): void {
  writeFileSync(join(folder, path), `${text}\n`)
}

const isBuilt = (): boolean => existsSync(join(folder, 'packages/server/dist/main.js'))

/** If these files are still missing afterwards, nothing was built. */
function removeOutput(): void {
  rmSync(join(folder, 'packages/server/dist/main.js'))
  rmSync(join(folder, 'packages/server/dist/.tsbuildinfo'))
}

test('builds nothing when only the times of files have changed, as after a checkout', () => {
  removeOutput()
  const later = new Date('2030-01-01T00:00:00Z')
  utimesSync(join(folder, 'packages/server/src/main.ts'), later, later)
  build()
  expect(isBuilt()).toBe(false)
  rmSync(join(folder, 'packages/server/dist/.built-from'))
  build()
  expect(isBuilt()).toBe(true)
})

test('builds when a content has changed, however old its file says it is', () => {
  write('packages/server/src/main.ts', 'export const server = 2')
  const long = new Date('2000-01-01T00:00:00Z')
  utimesSync(join(folder, 'packages/server/src/main.ts'), long, long)
  build()
  expect(readFileSync(join(folder, 'packages/server/dist/main.js'), 'utf8')).toContain('server = 2')
})

test('builds the audit package when the settings of its library have changed', () => {
  const stamp = (): string => readFileSync(join(folder, 'packages/audit/dist/.built-from'), 'utf8')
  const before = stamp()
  const settings = 'packages/audit/tsconfig.library.json'
  write(settings, readFileSync(join(folder, settings), 'utf8'))
  build()
  expect(stamp()).not.toBe(before)
})

test('builds again after a build that has failed', () => {
  write('packages/server/src/main.ts', "export const server: number = 'three'")
  expect(build).toThrow()
  expect(build).toThrow()
  write('packages/server/src/main.ts', 'export const server = 3')
  build()
  expect(isBuilt()).toBe(true)
})

test('makes the prepared database again when it was removed', () => {
  const prepared = join(folder, 'packages/server/prepared')
  rmSync(prepared, { recursive: true })
  build()
  expect(existsSync(prepared)).toBe(true)
})

test('builds the console into the server, and only when its sources have changed', () => {
  const console = join(folder, 'packages/server/console')
  const page = (): string => readFileSync(join(console, 'index.html'), 'utf8')
  const scripts = (): string[] => readdirSync(join(console, 'assets'))
  const before = scripts()
  expect(before).toHaveLength(1)
  expect(page()).toContain(`/assets/${before[0]}`)
  rmSync(join(console, 'assets'), { recursive: true })
  build()
  expect(existsSync(join(console, 'assets'))).toBe(false)
  write('packages/console/src/main.ts', 'document.title = "second"')
  build()
  expect(scripts()).toHaveLength(1)
  expect(scripts()).not.toEqual(before)
  expect(page()).toContain(`/assets/${scripts()[0]}`)
})

describe('the code of the server', () => {
  const dist = (): string => join(folder, 'packages/server/dist')
  const filesThat = (end: string): string[] =>
    readdirSync(dist(), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith(end))

  test('runs, with what it loads later', () => {
    const output = execFileSync(process.execPath, [join(dist(), 'index.js')], { encoding: 'utf8' })
    expect(output).toBe('function string function\n1\n')
  })

  test('has the declarations that its entry needs, and no others', () => {
    const files = filesThat('.d.ts').filter((name) => !name.startsWith('.types/'))
    expect(files).toEqual(['index.d.ts'])
  })

  test('lies directly in dist, from where the files of the package are found', () => {
    expect(filesThat('.js').length).toBeGreaterThan(3)
    expect(filesThat('.js').filter((name) => name.includes('/'))).toEqual([])
  })

  test('is ours but for typebox and libraries, whose licenses are there', () => {
    const sources = filesThat('.js.map').flatMap(
      (name) => JSON.parse(readFileSync(join(dist(), name), 'utf8')).sources,
    )
    expect(sources).toContain('../src/inside/later.ts')
    expect(sources.filter((source) => !source.startsWith('../src/'))).toEqual([])
    expect(
      filesThat('.js')
        .sort()
        .filter((name) => !existsSync(join(dist(), `${name}.map`))),
    ).toEqual(['passkey-libraries.js', 'typebox.js', 'x402-libraries.js'])
    const licenses = readFileSync(join(dist(), 'x402-libraries.LICENSES.txt'), 'utf8')
    expect(licenses).toMatch(/^viem [\d.]+ \(MIT\)/m)
    const [comment = ''] = readFileSync(join(dist(), 'typebox.js'), 'utf8').split('*/')
    const license = readFileSync(join(ROOT, 'node_modules/typebox/license'), 'utf8')
    expect(comment).toContain(license.trim())
  })

  test('is all of the last build, though names of files change with their contents', () => {
    const before = filesThat('.js')
    write('packages/server/src/inside/later.ts', 'export const later = 2')
    build()
    expect(filesThat('.js')).toHaveLength(before.length)
    expect(filesThat('.js')).not.toEqual(before)
    write('packages/server/src/inside/later.ts', 'export const later = 1')
  })
})
