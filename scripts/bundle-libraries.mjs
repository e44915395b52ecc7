// This is plain JavaScript, because the build runs it before anything is built.
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { toLicenses } from './licenses.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/**
 * Modules that list what we use of large packages. They import nothing else, and no other module
 * imports these packages. Each becomes one file with the code in it, so that an installation does not
 * need the packages: viem alone has 59 MB, and 0.3 MB of it are used (ADR 61).
 */
export const X402_LIBRARIES = 'packages/server/src/paths/x402/x402-libraries.ts'
export const PASSKEY_LIBRARIES = 'packages/server/src/people/passkey-libraries.ts'
export const MCP_LIBRARIES = 'packages/mcp/src/mcp-libraries.ts'

/** Bundles a module of libraries, and writes the licenses of its packages beside it. */
export async function bundleLibraries(module, folder) {
  const name = basename(module, '.ts')
  const { metafile, outputFiles } = await build({
    entryPoints: [join(ROOT, module)],
    absWorkingDir: ROOT,
    outfile: join(folder, `${name}.js`),
    write: false,
    metafile: true,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    logLevel: 'warning',
    // Names stay, because they are in the stacks of errors that operators read.
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    banner: { js: `// Code of the packages that ${name}.LICENSES.txt lists.` },
  })
  const [{ text }] = outputFiles
  replace(join(folder, `${name}.LICENSES.txt`), toLicenses(metafile))
  replace(join(folder, `${name}.js`), text)
}

/** A plugin for the bundle of a package: imports of the module become imports of its built file. */
export function useBundledLibraries(module) {
  const name = basename(module, '.ts')
  return {
    name,
    setup({ onResolve }) {
      const filter = new RegExp(`/${name}\\.ts$`)
      onResolve({ filter }, () => ({ path: `./${name}.js`, external: true }))
    },
  }
}

/** Several test runs may write the same file at once, and none may read half of it. */
function replace(path, text) {
  const unfinished = `${path}.${process.pid}`
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(unfinished, text)
  renameSync(unfinished, path)
}
