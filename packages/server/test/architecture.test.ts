import { readdirSync, readFileSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'

const SRC = resolve(import.meta.dirname, '../src')

/** Which parts of the server each part may import. A part may always import itself. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  errors: [],
  config: ['core', 'outbound', 'paths'],
  log: [],
  lifecycle: [],
  listening: [],
  pause: [],
  loop: ['pause'],
  drain: ['http', 'log', 'pause'],
  core: ['errors'],
  'package-folder': [],
  storage: ['core', 'errors', 'log', 'loop', 'package-folder'],
  gateway: ['core', 'storage', 'errors', 'log', 'loop'],
  http: ['core', 'storage', 'errors'],
  tokens: ['core', 'storage', 'errors'],
  approvals: ['core', 'storage', 'errors', 'log', 'loop'],
  audit: ['core', 'storage', 'log', 'loop'],
  analytics: ['core', 'storage', 'log', 'loop'],
  people: ['core', 'storage', 'http', 'errors', 'log', 'loop', 'package-folder'],
  webhooks: ['core', 'storage', 'outbound', 'log', 'loop', 'pause'],
  routes: [
    'approvals',
    'audit',
    'core',
    'storage',
    'gateway',
    'tokens',
    'webhooks',
    'outbound',
    'http',
    'errors',
  ],
  paths: [
    'core',
    'storage',
    'gateway',
    'outbound',
    'http',
    'housekeeping',
    'errors',
    'lifecycle',
    'log',
    'loop',
  ],
  housekeeping: ['storage', 'log', 'loop'],
  retention: ['core', 'storage', 'log', 'loop'],
  outbound: [],
  setup: ['config', 'core', 'storage', 'webhooks', 'log'],
  'change-plan': ['core', 'setup', 'storage'],
  'read-changes': ['core', 'setup', 'storage'],
  'rebuild-analytics': ['analytics', 'core', 'pause', 'setup', 'storage'],
  reconcile: ['core', 'setup', 'storage'],
  'manage-members': ['config', 'core', 'people', 'setup', 'storage'],
  server: [
    'analytics',
    'approvals',
    'audit',
    'config',
    'manage-members',
    'core',
    'storage',
    'gateway',
    'outbound',
    'tokens',
    'people',
    'webhooks',
    'http',
    'routes',
    'paths',
    'housekeeping',
    'retention',
    'lifecycle',
    'listening',
    'log',
    'drain',
    'setup',
  ],
  welcome: [],
  run: ['config', 'log', 'server', 'welcome'],
  main: ['run'],
  prepare: ['storage'],
  verify: ['core'],
  'rotate-master-key': ['config', 'http', 'log', 'paths', 'storage', 'webhooks'],
  'rotate-log-key': ['audit', 'config', 'core', 'log', 'setup'],
  'rotate-signing-key': ['config', 'core', 'log', 'setup', 'tokens'],
  index: [
    'change-plan',
    'config',
    'read-changes',
    'rebuild-analytics',
    'reconcile',
    'manage-members',
    'rotate-log-key',
    'rotate-master-key',
    'rotate-signing-key',
    'run',
    'setup',
    'storage',
    'webhooks',
  ],
}

/** Packages that only one part may import. */
const OWNED_PACKAGES: Readonly<Record<string, string>> = {
  pg: 'storage',
  '@electric-sql/pglite': 'storage',
  '@electric-sql/pglite/nodefs': 'storage',
  ajv: 'http',
  jose: 'tokens',
  '@node-rs/argon2': 'people',
  pino: 'log',
  undici: 'outbound',
  viem: 'paths',
  'viem/accounts': 'paths',
  '@x402/core/http': 'paths',
  '@x402/evm': 'paths',
  '@x402/evm/v1': 'paths',
  '@fastify/swagger': 'http',
  '@fastify/type-provider-typebox': 'http',
}

/** The last one only says when a migration was applied. */
const TELL_THE_TIME = [
  'storage/engine/clock.ts',
  'storage/decisions/read-accounts.ts',
  'storage/engine/migrate.ts',
]

/** What the pure part may use from outside: no I/O, no clock, no randomness among it. */
const PURE = [
  'node:assert/strict',
  'node:crypto',
  'typebox',
  'temporal-polyfill',
  '@marcbachmann/cel-js',
  'tldts',
]

/** Of node:crypto the pure part takes what gives the same for the same, and nothing random. */
const PURE_CRYPTO = ['KeyObject', 'createHash', 'createPublicKey', 'hash', 'sign', 'verify']

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.ts'),
)

describe.each(files)('%s', (file) => {
  const source = readFileSync(resolve(SRC, file), 'utf8')
  const part = partOf(file)

  test('belongs to a part that the architecture knows', () => {
    expect(Object.keys(MAY_IMPORT)).toContain(part)
  })

  test('imports only what its part may import', () => {
    const crossed = importsOf(source)
      .filter((specifier) => specifier.startsWith('.'))
      .map((specifier) => partOf(relative(SRC, resolve(SRC, dirname(file), specifier))))
      .filter((target) => target !== part && !MAY_IMPORT[part]?.includes(target))
    expect(crossed).toEqual([])
  })

  if (part === 'paths')
    test('knows no other payment path', () => {
      const [, own] = file.split('/')
      const folders = importsOf(source)
        .filter((specifier) => specifier.startsWith('.') && file.split('/').length > 2)
        .map((specifier) => relative(SRC, resolve(SRC, dirname(file), specifier)).split('/'))
        .filter(([target, folder, ...rest]) => target === 'paths' && folder && rest.length > 0)
      expect(folders.filter(([, folder]) => folder !== own)).toEqual([])
    })

  if (part !== 'paths')
    test('knows payment paths by their list only', () => {
      const reached = importsOf(source).filter((specifier) => /\/paths\/[^/]+\//.test(specifier))
      expect(reached).toEqual([])
    })

  test('leaves packages to the part that owns them', () => {
    const trespassed = importsOf(source).filter((name) => (OWNED_PACKAGES[name] ?? part) !== part)
    expect(trespassed).toEqual([])
  })

  if (part === 'core')
    test('does no I/O and asks no clock', () => {
      const outside = importsOf(source).filter((name) => !name.startsWith('.'))
      expect(outside.filter((name) => !PURE.includes(name))).toEqual([])
      expect(source).not.toMatch(
        /\bDate\.now\(|\bnew Date\(\)|Math\.random|Temporal\.Now|process\./,
      )
    })

  if (part === 'core')
    test('takes only what is not random from node:crypto', () => {
      const imports = source.matchAll(/^import ([^']*?) from 'node:crypto'/gm)
      const names = [...imports].flatMap(([, list = '']) => list.match(/\w+|\*/g) ?? [])
      expect(names.filter((name) => name !== 'type' && !PURE_CRYPTO.includes(name))).toEqual([])
    })

  test('asks no wall clock of its own machine', () => {
    // `storage/engine/clock.ts` has the time: for what judges, and for what is only shown. It looks at
    // the wall clock only to see that the machine has slept, and then asks the database.
    const read = source.match(/\bDate\.now\b|\bnew Date\(\)|\btimeOrigin\b|Temporal\.Now/g) ?? []
    expect(read).toEqual(file === 'storage/engine/clock.ts' ? ['Date.now'] : [])
  })

  test('takes the time of the database from the statements that are made for it', () => {
    const words = /clock_timestamp|current_timestamp|transaction_timestamp|statement_timestamp/
    expect(words.test(source)).toBe(TELL_THE_TIME.includes(file))
  })

  if (part !== 'http')
    test('leaves the values of fastify to http', () => {
      // Types are erased; only a value would tie the part to the framework.
      const values = [...source.matchAll(/^import (?!type\b).*from 'fastify'/gm)]
      expect(values).toEqual([])
    })
})

test('the SQL stays in storage, and in the storage of a path', () => {
  const outside = files.filter((file) => !/^(paths\/[^/]+\/)?storage\//.test(file))
  const withSql = outside.filter((file) =>
    /`\s*(select|insert into|update|delete from|with) /.test(
      readFileSync(resolve(SRC, file), 'utf8'),
    ),
  )
  expect(withSql).toEqual([])
})

test('a start loads no library of chains', () => {
  const loaded = loadedFrom('main.ts', 'index.ts')
  expect(loaded).toContain('paths/x402/routes.ts')
  expect(loaded.filter((name) => /^(viem|@x402)/.test(name))).toEqual([])
})

test('verifying a log loads no package', () => {
  const loaded = loadedFrom('verify.ts')
  expect(loaded).toContain('core/audit/checkpoint.ts')
  expect(loaded.filter((name) => !name.endsWith('.ts'))).toEqual(['node:crypto'])
})

/** The files and packages that are loaded together with these files. */
function loadedFrom(...entries: readonly string[]): string[] {
  const loaded = new Set<string>()
  const load = (file: string): void => {
    if (loaded.has(file)) return
    loaded.add(file)
    for (const specifier of loadedBy(readFileSync(resolve(SRC, file), 'utf8'))) {
      if (specifier.startsWith('.')) load(relative(SRC, resolve(SRC, dirname(file), specifier)))
      else loaded.add(specifier)
    }
  }
  for (const entry of entries) load(entry)
  return [...loaded]
}

test('ARCHITECTURE.md says who may import whom', () => {
  const document = readFileSync(resolve(SRC, '../../../ARCHITECTURE.md'), 'utf8')
  const [, table = ''] = document.split('## Who may import whom')
  const said = Object.fromEntries(
    [...table.matchAll(/^\| (`.+?) \| (.+) \|$/gm)].flatMap(([, parts = '', others = '']) =>
      partsIn(parts).map((part) => [part, partsIn(others).sort()]),
    ),
  )
  // It joins all parts, and the table says only that.
  const { server: _, ...listed } = MAY_IMPORT
  const sorted = Object.entries(listed).map(([part, others]) => [part, [...others].sort()])
  expect({ ...said, server: undefined }).toEqual(Object.fromEntries(sorted))
})

/** The parts that a cell names. */
function partsIn(cell: string): string[] {
  const names = [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
  return names.filter((name) => name in MAY_IMPORT)
}

function partOf(path: string): string {
  return path.split('/')[0]?.replace(/\.ts$/, '') ?? ''
}

function importsOf(source: string): string[] {
  return [...source.matchAll(/(?:^import|\bfrom|\bimport\() ?'([^']+)'/gm)].map(
    (match) => match[1] ?? '',
  )
}

/** Types are erased, and an import that is called waits until then. */
function loadedBy(source: string): string[] {
  const statements = source.matchAll(/^(?:import|export)\b(?! type\b)[^']*?from '([^']+)'/gm)
  return [...statements].map((match) => match[1] ?? '')
}
