// This is plain JavaScript, because the build runs it before anything is built.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const SOURCE = fileURLToPath(new URL('../packages/audit/src', import.meta.url))

/** The modules that other packages import, as listed under `exports` in the package's package.json. */
const ENTRIES = ['index', 'command', 'node/crypto', 'node/verify']

const COMMON = {
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  logLevel: 'warning',
}

/** The package contains the sources. */
const MAPPED = { sourcemap: true, sourcesContent: false }

/**
 * Bundles the modules of the package: the library with the modules that its entries share, and the
 * program as one file without a map, which an auditor can read and run alone.
 */
async function bundle(folder) {
  const entryPoints = ENTRIES.map((name) => join(SOURCE, `${name}.ts`))
  await build({
    ...COMMON,
    ...MAPPED,
    entryPoints,
    outdir: folder,
    outbase: SOURCE,
    splitting: true,
  })
  const program = join(SOURCE, 'node/main.ts')
  await build({ ...COMMON, entryPoints: [program], outfile: join(folder, 'purser-audit.js') })
}

await bundle(process.argv[2])
