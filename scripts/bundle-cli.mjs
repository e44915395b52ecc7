// This is plain JavaScript, because the build runs it before anything is built.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const COMMANDER = join(ROOT, 'node_modules/commander')

const COMMON = {
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  logLevel: 'warning',
}

/**
 * Bundles the modules of the command line, because each file costs time at every start. Each command
 * stays a file of its own. The code of the SDK becomes part of the bundle. The other packages stay
 * outside: only some commands load them, and there is one copy of the verifier (ADR 52).
 */
async function bundle(folder) {
  await bundleCommander(join(folder, 'commander.js'))
  await build({
    ...COMMON,
    entryPoints: [join(ROOT, 'packages/cli/src/main.ts')],
    outdir: folder,
    splitting: true,
    conditions: ['@purser/source'],
    external: ['@purser/audit/*', '@purser/mcp/*', '@purser/server', 'yaml'],
    plugins: [{ name: 'commander', setup: useBundledCommander }],
    // The maps contain the sources, because those of the SDK are not in this package.
    sourcemap: true,
  })
}

/** Creates a separate file that begins with its license, as the license requires. */
function bundleCommander(outfile) {
  const { version } = JSON.parse(readFileSync(join(COMMANDER, 'package.json'), 'utf8'))
  const license = readFileSync(join(COMMANDER, 'LICENSE'), 'utf8')
  const stdin = { contents: "export * from 'commander'", resolveDir: ROOT }
  const banner = {
    // It is CommonJS, and requires modules of Node.
    js: `/*
commander ${version}

${license.trim()}
*/
import { createRequire } from 'node:module'
const require = createRequire(import.meta.url)`,
  }
  const plugins = [{ name: 'no-programs', setup: leaveOutChildProcess }]
  return build({
    ...COMMON,
    stdin,
    outfile,
    banner,
    plugins,
    minifySyntax: true,
    minifyWhitespace: true,
  })
}

/** Commander starts programs for subcommands that are files. Purser has none, and loading costs time. */
function leaveOutChildProcess({ onResolve, onLoad }) {
  onResolve({ filter: /^node:child_process$/ }, ({ path }) => ({ path, namespace: 'left-out' }))
  onLoad({ filter: /.*/, namespace: 'left-out' }, () => ({ contents: 'module.exports = {}' }))
}

function useBundledCommander({ onResolve }) {
  onResolve({ filter: /^commander$/ }, () => ({ path: './commander.js', external: true }))
}

await bundle(process.argv[2])
