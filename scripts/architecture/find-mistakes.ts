import { importsOf, loadedFrom, partOf, resolveImport } from './imports.ts'
import type { Described } from './read-document.ts'

/** The files of the server by their path in `src`. */
export type Sources = ReadonlyMap<string, string>

/** Packages that only one part may import. */
const OWNED_PACKAGES: Readonly<Record<string, string>> = {
  pg: 'storage',
  '@electric-sql/pglite': 'storage',
  '@electric-sql/pglite/nodefs': 'storage',
  ajv: 'http',
  jose: 'tokens',
  '@node-rs/argon2': 'people',
  '@simplewebauthn/server': 'people',
  '@simplewebauthn/server/helpers': 'people',
  nodemailer: 'messages',
  pino: 'base',
  undici: 'outbound',
  viem: 'paths',
  'viem/accounts': 'paths',
  '@x402/core/http': 'paths',
  '@x402/evm': 'paths',
  '@x402/evm/v1': 'paths',
  '@opentelemetry/api': 'tracing',
  '@opentelemetry/resources': 'tracing',
  '@opentelemetry/sdk-trace-node': 'tracing',
  '@opentelemetry/exporter-trace-otlp-http': 'tracing',
  'light-my-request': 'mcp',
  '@purser/mcp': 'mcp',
  '@fastify/swagger': 'http',
  '@fastify/type-provider-typebox': 'http',
}

/** Packages that `core` may import: nothing with I/O, a clock or randomness. */
const PURE = [
  ...['node:assert/strict', 'node:crypto', 'typebox', 'temporal-polyfill'],
  ...['@marcbachmann/cel-js', 'tldts', '@purser/audit', '@purser/audit/node'],
]
/** Functions of node:crypto that `core` may use: they return the same result for the same input. */
const PURE_CRYPTO = ['createHash', 'hash', 'type']

/** Files that read the database's time. The last one records when a migration was applied. */
const TELL_THE_TIME = [
  'storage/engine/clock.ts',
  'storage/decisions/read-accounts.ts',
  'storage/engine/migrate.ts',
]
/** This file compares the wall clock with the monotonic one, to notice that the machine has slept. */
const NOTICES_SLEEP = 'storage/engine/clock.ts'

const WALL_CLOCK = /\bDate\.now\b|\bnew Date\(\)|\btimeOrigin\b|Temporal\.Now/g
const DATABASE_TIME = /clock_timestamp|current_timestamp|transaction_timestamp|statement_timestamp/
const SQL = /`\s*(select|insert into|update|delete from|with) /

/** Returns every violation of ARCHITECTURE.md and of the code rules. */
export function findMistakes(sources: Sources, described: Described): string[] {
  return [
    ...mistakesOfFolders(sources, described),
    ...[...sources].flatMap(([file, source]) =>
      mistakesOfFile(file, source, described).map((mistake) => `${file} ${mistake}`),
    ),
    ...mistakesOfLoading(sources),
  ]
}

function mistakesOfFolders(sources: Sources, { folders }: Described): string[] {
  const present = new Set(
    [...sources.keys()].flatMap((file) => {
      const parts = file.split('/').slice(0, -1)
      return parts.map((_, at) => parts.slice(0, at + 1).join('/'))
    }),
  )
  const missing = [...present].filter((folder) => !folders.includes(folder))
  const gone = folders.filter((folder) => !present.has(folder))
  return [
    ...missing.map((folder) => `ARCHITECTURE.md does not name the folder ${folder}/.`),
    ...gone.map((folder) => `ARCHITECTURE.md names ${folder}/, which does not exist.`),
  ]
}

function mistakesOfFile(file: string, source: string, { mayImport }: Described): string[] {
  const part = partOf(file)
  const allowed = mayImport.get(part)
  if (!allowed)
    return ['is in a part that ARCHITECTURE.md does not list under "Who may import whom".']
  const imports = importsOf(source)
  const own = imports
    .filter((name) => name.startsWith('.'))
    .map((name) => resolveImport(file, name))
  const outside = imports.filter((name) => !name.startsWith('.'))
  return [
    ...own
      .filter((target) => partOf(target) !== part && !allowed.includes(partOf(target)))
      .map((target) => `imports ${target}, which \`${part}\` may not.`),
    ...mistakesOfPaths(file, own),
    ...outside
      .filter((name) => (OWNED_PACKAGES[name] ?? part) !== part)
      .map((name) => `imports ${name}, which belongs to \`${OWNED_PACKAGES[name]}\`.`),
    ...(part === 'core' ? mistakesOfPurity(source, outside) : []),
    ...mistakesOfTime(file, source),
    ...(part !== 'http' && /^import (?!type\b).*from 'fastify'/m.test(source)
      ? ['imports a value of fastify, which belongs to `http`.']
      : []),
    ...(!/^(paths\/[^/]+\/)?storage\//.test(file) && SQL.test(source)
      ? ['has SQL, which belongs to `storage` or the storage of a path.']
      : []),
  ]
}

/** Payment paths do not know each other, and other parts know them only by their list. */
function mistakesOfPaths(file: string, own: readonly string[]): string[] {
  const [part, path, ...rest] = file.split('/')
  const isInside = part === 'paths' && rest.length > 0
  return own
    .filter((target) => {
      const [targetPart, targetPath, ...inside] = target.split('/')
      if (targetPart !== 'paths' || inside.length === 0) return false
      return part === 'paths' ? isInside && targetPath !== path : true
    })
    .map((target) => `imports ${target}, which is the inside of a payment path.`)
}

function mistakesOfPurity(source: string, outside: readonly string[]): string[] {
  const crypto = [...source.matchAll(/^import ([^']*?) from 'node:crypto'/gm)]
  const names = crypto.flatMap(([, list = '']) => list.match(/\w+|\*/g) ?? [])
  return [
    ...outside
      .filter((name) => !PURE.includes(name))
      .map((name) => `imports ${name}; core is pure.`),
    ...names
      .filter((name) => !PURE_CRYPTO.includes(name))
      .map((name) => `takes ${name}; core is pure.`),
    ...(/Math\.random|process\./.test(source)
      ? ['uses Math.random or process; core is pure.']
      : []),
  ]
}

function mistakesOfTime(file: string, source: string): string[] {
  const read = source.match(WALL_CLOCK) ?? []
  const isAllowed = file === NOTICES_SLEEP && read.join() === 'Date.now'
  return [
    ...(read.length > 0 && !isAllowed
      ? [`reads a clock of this machine: ${read.join(', ')}.`]
      : []),
    ...(DATABASE_TIME.test(source) !== TELL_THE_TIME.includes(file)
      ? ["asks the database for its time, or should: see the list in the check's own file."]
      : []),
  ]
}

/** Every start loads this file. If the check does not reach it, the check reads too few imports. */
const LOADED_AT_START = 'paths/x402/routes.ts'

function mistakesOfLoading(sources: Sources): string[] {
  const loaded = loadedFrom(sources, 'main.ts', 'index.ts')
  const late = loaded.filter((name) =>
    /^(viem|@opentelemetry|@x402|@simplewebauthn|nodemailer|@purser\/mcp|light-my-request)/.test(
      name,
    ),
  )
  const isProof = sources.has(LOADED_AT_START) && loaded.includes(LOADED_AT_START)
  return [
    ...late.map((name) => `A start loads ${name}: import it where a request first needs it.`),
    ...(isProof
      ? []
      : [
          `A start does not load ${LOADED_AT_START}, so the check for chain packages proves nothing.`,
        ]),
  ]
}
