// This is plain JavaScript, because the build runs it before anything is built.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { bundleLibraries, MCP_LIBRARIES, useBundledLibraries } from './bundle-libraries.mjs'

const SOURCE = fileURLToPath(new URL('../packages/mcp/src', import.meta.url))

/** The modules that other packages import, as listed under `exports` in the package's package.json. */
const ENTRIES = ['index', 'stdio']

/** Bundles the modules of the package. The SDK stays outside, because the command line has it too. */
async function bundle(folder) {
  await bundleLibraries(MCP_LIBRARIES, folder)
  await build({
    entryPoints: ENTRIES.map((name) => join(SOURCE, `${name}.ts`)),
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    packages: 'external',
    plugins: [useBundledLibraries(MCP_LIBRARIES)],
    sourcemap: true,
    // The package contains the sources.
    sourcesContent: false,
    logLevel: 'warning',
  })
}

await bundle(process.argv[2])
