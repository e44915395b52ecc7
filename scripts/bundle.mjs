// This is plain JavaScript, because the build runs it before anything is built.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import {
  bundleLibraries,
  PASSKEY_LIBRARIES,
  useBundledLibraries,
  X402_LIBRARIES,
} from './bundle-libraries.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const SOURCE = join(ROOT, 'packages/server/src')
const TYPEBOX = join(ROOT, 'node_modules/typebox')

/** The programs of the server: its process, the module that the CLI loads, and a step of the build. */
const PROGRAMS = ['main', 'index', 'prepare']

const LIBRARIES = [X402_LIBRARIES, PASSKEY_LIBRARIES]

const COMMON = {
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  logLevel: 'warning',
}

/**
 * Bundles the modules of the server into a few files directly in the folder. Node needs most of a
 * second of CPU to find, read and link a thousand modules, at each start. Packages stay external,
 * so that the installer of the server decides on their versions, and their files find each other.
 * typebox is an exception: it has more modules than our own code. So are libraries of which we
 * use a small part: they would be most of an installation.
 */
async function bundle(folder) {
  await bundleTypebox(join(folder, 'typebox.js'))
  for (const module of LIBRARIES) await bundleLibraries(module, folder)
  await build({
    ...COMMON,
    entryPoints: PROGRAMS.map((name) => join(SOURCE, `${name}.ts`)),
    outdir: folder,
    // Modules that are imported on demand stay separate, and shared modules exist once.
    splitting: true,
    packages: 'external',
    plugins: [
      { name: 'typebox', setup: useBundledTypebox },
      ...LIBRARIES.map((module) => useBundledLibraries(module)),
    ],
    sourcemap: true,
    // The package contains the sources.
    sourcesContent: false,
  })
}

/** Creates a separate file that begins with its license, as the license requires. */
function bundleTypebox(outfile) {
  const { version } = JSON.parse(readFileSync(join(TYPEBOX, 'package.json'), 'utf8'))
  const license = readFileSync(join(TYPEBOX, 'license'), 'utf8')
  const stdin = { contents: "export { Type } from 'typebox'", resolveDir: ROOT }
  const banner = { js: `/*\ntypebox ${version}\n\n${license.trim()}\n*/` }
  return build({ ...COMMON, stdin, outfile, banner })
}

function useBundledTypebox({ onResolve }) {
  onResolve({ filter: /^typebox$/ }, () => ({ path: './typebox.js', external: true }))
}

await bundle(process.argv[2])
