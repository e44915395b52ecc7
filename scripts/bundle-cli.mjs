// This is plain JavaScript, because the build runs it before anything is built.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const SOURCE = join(ROOT, 'packages/cli/src')
const COMMANDER = join(ROOT, 'node_modules/commander')

const COMMON = {
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node20.19',
  conditions: ['@purser/source'],
  minify: true,
  // The map contains the sources, because those of the SDK are not in this package.
  sourcemap: true,
  logLevel: 'warning',
}

/** The license of commander requires its text. */
const LICENSE = `/*
Contains commander ${JSON.parse(readFileSync(join(COMMANDER, 'package.json'), 'utf8')).version}

${readFileSync(join(COMMANDER, 'LICENSE'), 'utf8').trim()}
*/`

/**
 * Bundles the command line into one file, because each file costs time at every start. The module of
 * a command still runs only when the command is called. It is CommonJS, because V8 keeps no compiled
 * code of ES modules. The code of the SDK becomes part of the bundle. The other packages stay outside:
 * only some commands load them, and there is one copy of the verifier (ADR 52).
 */
async function bundle(folder) {
  await build({
    ...COMMON,
    entryPoints: [join(SOURCE, 'packages.ts')],
    outfile: join(folder, 'packages.cjs'),
    packages: 'external',
  })
  await build({
    ...COMMON,
    entryPoints: [join(SOURCE, 'main.ts')],
    outfile: join(folder, 'main.cjs'),
    external: ['yaml'],
    banner: { js: LICENSE },
    plugins: [
      { name: 'packages', setup: leaveOutPackages },
      { name: 'no-programs', setup: leaveOutChildProcess },
    ],
  })
}

/** The path is right in this folder and in that of `bin/purser.js`, whose `require` it gets. */
function leaveOutPackages({ onResolve }) {
  onResolve({ filter: /\/packages\.ts$/ }, () => ({ path: '../dist/packages.cjs', external: true }))
}

/** Commander starts programs for subcommands that are files. Purser has none, and loading costs time. */
function leaveOutChildProcess({ onResolve, onLoad }) {
  onResolve({ filter: /^node:child_process$/ }, ({ path }) => ({ path, namespace: 'left-out' }))
  onLoad({ filter: /.*/, namespace: 'left-out' }, () => ({ contents: 'module.exports = {}' }))
}

const folder = resolve(process.argv[2])
await bundle(folder)
// The command that it runs prints a table.
const stdio = ['ignore', 'ignore', 'inherit']
execFileSync(process.execPath, [join(ROOT, 'scripts/compile-cli.mjs'), folder], { stdio })
