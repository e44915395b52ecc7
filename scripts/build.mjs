// This is plain JavaScript without dependencies, because `npm start` runs it each time, before
// anything is built.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { publishTypes } from './publish-types.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc')
const VITE = join(ROOT, 'node_modules/vite/bin/vite.js')
const SERVER = join(ROOT, 'packages/server')

/**
 * The source folders of each package, in the order of the builds. The compiler reads the types of
 * imported packages, so these are built first.
 */
const INPUTS = {
  audit: ['packages/audit/src'],
  sdk: ['packages/sdk/src', 'packages/audit/src'],
  mcp: ['packages/mcp/src', 'packages/sdk/src'],
  console: ['packages/console/src', 'packages/console/vite', 'packages/sdk/src'],
  server: [
    ...['packages/server/src', 'packages/server/migrations'],
    ...['packages/audit/src', 'packages/mcp/src'],
  ],
  cli: [
    ...['packages/cli/src', 'packages/sdk/src', 'packages/mcp/src'],
    ...['packages/server/src', 'packages/audit/src'],
  ],
}
const IMPORTS = {
  audit: [],
  sdk: ['audit'],
  mcp: ['audit', 'sdk'],
  console: [],
  server: ['audit', 'sdk', 'mcp', 'console'],
  cli: ['audit', 'sdk', 'mcp', 'console', 'server'],
}

/** The folder of the build, if it is not `dist` of the package: the server contains the console. */
const OUTPUTS = { console: 'packages/server/console' }

/** The packages that browsers run, each with its bundler. */
const LIBRARIES = { audit: 'scripts/bundle-audit.mjs', sdk: 'scripts/bundle-sdk.mjs' }

const BUNDLE_MCP = 'scripts/bundle-mcp.mjs'
const BUNDLE_CLI = 'scripts/bundle-cli.mjs'
const COMPILE_CLI = 'scripts/compile-cli.mjs'

const SETTINGS = [
  ...['package-lock.json', 'tsconfig.json'],
  ...['scripts/build.mjs', 'scripts/bundle.mjs', 'scripts/bundle-libraries.mjs'],
  ...['scripts/licenses.mjs', 'scripts/publish-types.mjs'],
  ...[BUNDLE_MCP, BUNDLE_CLI, COMPILE_CLI, ...Object.values(LIBRARIES)],
]

const CONSOLE_SETTINGS = ['packages/console/index.html', 'packages/console/vite.config.ts']

/**
 * Builds the named packages and their imports, or else all, if they are stale. The content decides
 * whether a package is stale: a checkout gives files new times without changing them, or different
 * contents with old times. Once a package is built, `dist` keeps a hash of all its inputs.
 */
function build(names) {
  const wanted = names.flatMap((name) => [...(IMPORTS[name] ?? []), name])
  for (const name of Object.keys(INPUTS).filter((it) => wanted.includes(it))) {
    const output = OUTPUTS[name] ?? `packages/${name}/dist`
    const stamp = join(ROOT, output, '.built-from')
    const hash = hashOf(name)
    if (isThere(name) && existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) continue
    announce()
    // A build that fails or is interrupted leaves no stamp.
    rmSync(stamp, { force: true })
    BUILDERS[name](name)
    writeFileSync(stamp, hash)
  }
}

const BUILDERS = {
  audit: buildLibrary,
  sdk: buildLibrary,
  mcp: buildMcp,
  console: buildConsole,
  server: buildServer,
  cli: buildCli,
}

let isAnnounced = false

/** A build can take minutes, and its tools print nothing. */
function announce() {
  if (!isAnnounced) process.stderr.write('Building the gateway and the console…\n')
  isAnnounced = true
}

/** A library is also compiled without the types of Node, because browsers run it. */
function buildLibrary(name) {
  const folder = join(ROOT, 'packages', name)
  const dist = join(folder, 'dist')
  run(TSC, '-p', join(folder, 'tsconfig.library.json'))
  run(TSC, '-p', folder, '--emitDeclarationOnly')
  removeCode(dist)
  run(join(ROOT, LIBRARIES[name]), dist)
}

/** The compiler checks and writes the types. The bundler writes the code. */
function buildServer() {
  const dist = join(SERVER, 'dist')
  writeTypes(SERVER, dist, ['index'])
  removeCode(dist)
  run(join(ROOT, 'scripts/bundle.mjs'), dist)
  run(join(dist, 'prepare.js'))
}

/** The compiler only checks the sources, in `npm run check`. */
function buildConsole() {
  const folder = join(ROOT, 'packages/console')
  // A test runner sets NODE_ENV to `test`. With it, Vite would bundle React for development.
  process.env.NODE_ENV = 'production'
  run(VITE, 'build', folder, '--configLoader', 'runner', '--logLevel', 'warn')
}

/** No package imports the command line, so it needs no types. The compiler only checks it. */
function buildCli() {
  const folder = join(ROOT, 'packages/cli')
  const dist = join(folder, 'dist')
  rmSync(dist, { recursive: true, force: true })
  run(TSC, '-p', folder, '--noEmit')
  run(join(ROOT, BUNDLE_CLI), dist)
}

/** The compiler checks and writes the types. The bundler writes the code. */
function buildMcp() {
  const folder = join(ROOT, 'packages/mcp')
  const dist = join(folder, 'dist')
  rmSync(dist, { recursive: true, force: true })
  writeTypes(folder, dist, ['index', 'stdio'])
  run(join(ROOT, BUNDLE_MCP), dist)
}

function writeTypes(folder, dist, entries) {
  const all = join(dist, '.types')
  run(TSC, '-p', folder, '--emitDeclarationOnly', '--declarationDir', all)
  publishTypes(all, dist, entries)
}

/** File names change with their contents, so files of the last build would stay. */
function removeCode(dist) {
  const names = readdirSync(dist, { recursive: true })
  for (const name of names.filter((it) => /\.js(\.map)?$/.test(it))) rmSync(join(dist, name))
}

/** The prepared database is beside `dist`, and may have been removed separately. */
function isThere(name) {
  return name !== 'server' || existsSync(join(SERVER, 'prepared'))
}

function hashOf(name) {
  const settings = [...SETTINGS, `packages/${name}/tsconfig.json`]
  if (name === 'console') settings.push(...CONSOLE_SETTINGS)
  // The command line contains its version.
  if (name === 'cli') settings.push('packages/cli/package.json')
  if (name in LIBRARIES) {
    settings.push(`packages/${name}/tsconfig.library.json`, `packages/${name}/package.json`)
  }
  const sources = INPUTS[name].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort(),
  )
  const hash = createHash('sha256').update(process.version)
  for (const path of [...settings.map((file) => join(ROOT, file)), ...sources]) {
    const content = readFileSync(path)
    hash.update(`${path.slice(ROOT.length)} ${content.length}\n`).update(content)
  }
  return hash.digest('hex')
}

function run(...parameters) {
  const { status } = spawnSync(process.execPath, parameters, { cwd: ROOT, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

build(process.argv.length > 2 ? process.argv.slice(2) : Object.keys(INPUTS))
