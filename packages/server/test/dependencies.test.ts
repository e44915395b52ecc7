import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { VERSION } from '../src/base/version.ts'

const ROOT = resolve(import.meta.dirname, '../../..')

interface Locked {
  readonly dev?: boolean
  readonly link?: boolean
  readonly integrity?: string
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly hasInstallScript?: boolean
}

const lock: { readonly packages: Readonly<Record<string, Locked>> } = JSON.parse(
  readFileSync(resolve(ROOT, 'package-lock.json'), 'utf8'),
)

test('no package that runs with the gateway has an install script', () => {
  const atRunTime = Object.entries(lock.packages).filter(([, locked]) => !locked.dev)
  expect(atRunTime.length).toBeGreaterThan(30)
  const withScript = atRunTime.filter(([, locked]) => locked.hasInstallScript)
  // The root's own `prepare` builds the program; it is not a dependency.
  expect(withScript.map(([path]) => path).filter((path) => path !== '')).toEqual([])
})

test('the lock file lists the binaries for all platforms, because npm ci refuses it otherwise', () => {
  const isLocked = (path: string, name: string): boolean =>
    [`${path}/node_modules/${name}`, `node_modules/${name}`].some((one) => one in lock.packages)
  const missing = Object.entries(lock.packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter((name) => !isLocked(path, name)),
  )
  expect(missing).toEqual([])
})

test('only packages of the development may be without a hash in the lock file', () => {
  const withoutHash = Object.entries(lock.packages).filter(
    ([path, { integrity, link, dev }]) =>
      path.startsWith('node_modules/') && !link && !dev && integrity === undefined,
  )
  expect(withoutHash.map(([path]) => path)).toEqual([])
})

test('no override pins a runtime dependency, because npm does not publish overrides', () => {
  const { overrides }: { readonly overrides: object } = JSON.parse(
    readFileSync(resolve(ROOT, 'package.json'), 'utf8'),
  )
  const atRunTime = Object.entries(lock.packages).filter(([, locked]) => !locked.dev)
  const names = atRunTime.map(([path]) => path.split('node_modules/').at(-1))
  expect(Object.keys(overrides).filter((name) => names.includes(name))).toEqual([])
})

test('the version that the gateway shows is that of its package', () => {
  const text = readFileSync(resolve(ROOT, 'packages/server/package.json'), 'utf8')
  expect(JSON.parse(text).version).toBe(VERSION)
})

test('the package for auditors depends on no package', () => {
  const text = readFileSync(resolve(ROOT, 'packages/audit/package.json'), 'utf8')
  expect(Object.keys(JSON.parse(text)).filter((name) => /dependencies/i.test(name))).toEqual([])
})

const CLIENTS = 'packages/server/test/http/clients'
const LOCKED = ['.', `${CLIENTS}/openapi-typescript`, `${CLIENTS}/hey-api`]

test.each(LOCKED)('the lock file in %s names no registry', (folder) => {
  const text = readFileSync(resolve(ROOT, folder, 'package-lock.json'), 'utf8')
  expect(text).not.toMatch(/"resolved": "http/)
})

test.each(['audit', 'mcp', 'server', 'cli'])(
  'the package %s carries the license of the repository',
  (name) => {
    const read = (path: string) => readFileSync(resolve(ROOT, path), 'utf8')
    expect(read(`packages/${name}/LICENSE`)).toBe(read('LICENSE'))
  },
)
