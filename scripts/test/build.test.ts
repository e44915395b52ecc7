import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')

let folder: string

/** A repository with the real script and settings, and packages of a line each. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'purser-build-'))
  for (const name of ['server', 'cli'])
    await mkdir(join(folder, 'packages', name, 'src'), { recursive: true })
  await mkdir(join(folder, 'packages/server/migrations'))
  for (const path of [
    'scripts/build.mjs',
    'tsconfig.json',
    'package.json',
    'package-lock.json',
    'packages/server/tsconfig.json',
    'packages/cli/tsconfig.json',
  ]) {
    cpSync(join(ROOT, path), join(folder, path))
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  write('packages/cli/src/main.ts', 'export const cli = 1')
  write('packages/server/src/main.ts', 'export const server = 1')
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

/** What is missing afterwards shows that nothing was built. */
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
