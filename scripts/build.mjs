// Plain JavaScript without dependencies, because `npm start` runs it each time, before anything is
// built.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc')
const SERVER = join(ROOT, 'packages/server')

/** What makes each package. The command is compiled against the types of the server. */
const INPUTS = {
  server: ['packages/server/src', 'packages/server/migrations'],
  cli: ['packages/cli/src', 'packages/server/src'],
}

const SETTINGS = ['package-lock.json', 'tsconfig.json', 'scripts/build.mjs', 'scripts/bundle.mjs']

/**
 * Builds the packages that are named, or else all, as far as they are stale. Whether one is stale
 * is decided by content: a checkout gives files new times without changing them, or other contents
 * with old times. Once a package is built, `dist` keeps a hash of everything that it was made of.
 */
function build(names) {
  for (const name of names) {
    const stamp = join(ROOT, 'packages', name, 'dist/.built-from')
    const hash = hashOf(name)
    if (isThere(name) && existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) continue
    // A build that fails or is interrupted leaves no stamp.
    rmSync(stamp, { force: true })
    if (name === 'server') buildServer()
    else run(TSC, '-p', join(ROOT, 'packages', name))
    writeFileSync(stamp, hash)
  }
}

/** The compiler checks and writes the types. The code is written by what joins the modules. */
function buildServer() {
  const dist = join(SERVER, 'dist')
  run(TSC, '-p', SERVER, '--emitDeclarationOnly')
  removeCode(dist)
  run(join(ROOT, 'scripts/bundle.mjs'), dist)
  run(join(dist, 'prepare.js'))
}

/** Names of files change with their contents, so those of the last build would stay. */
function removeCode(dist) {
  const names = readdirSync(dist, { recursive: true })
  for (const name of names.filter((it) => /\.js(\.map)?$/.test(it))) rmSync(join(dist, name))
}

/** The prepared database lies beside `dist`, and may have been removed without it. */
function isThere(name) {
  return name !== 'server' || existsSync(join(SERVER, 'prepared'))
}

function hashOf(name) {
  const settings = [...SETTINGS, `packages/${name}/tsconfig.json`]
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
